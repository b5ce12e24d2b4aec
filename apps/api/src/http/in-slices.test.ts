import Fastify from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFileSlicer, type FileSlicer } from './in-slices.ts';

const pieceMs = 3;
const pieces = 20;

let app = Fastify();
let inSlices: FileSlicer;

beforeEach(() => {
  app = Fastify();
  inSlices = createFileSlicer(app);
  app.get('/', async () => 'here');
});
afterEach(() => app.close());

/** Pieces that have all arrived. */
async function* arrived(before?: () => Promise<unknown>): AsyncGenerator<number> {
  for (let piece = 0; piece < pieces; piece += 1) {
    await before?.();
    yield piece;
  }
}

/** Works on the pieces. Returns them, the turns of the event loop meanwhile, and the time without work. */
async function receive(before?: () => Promise<unknown>) {
  const received: number[] = [];
  let turns = 0;
  let isOver = false;
  const countTurn = () => {
    turns += 1;
    if (!isOver) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  const begun = performance.now();
  let workedMs = 0;
  for await (const piece of inSlices(arrived(before))) {
    received.push(piece);
    const since = performance.now();
    while (performance.now() - since < pieceMs);
    workedMs += performance.now() - since;
  }
  isOver = true;
  return { received, turns, restedMs: performance.now() - begun - workedMs };
}

it('passes all pieces on in order, with a turn of the event loop after each', async () => {
  const { received, turns } = await receive();
  expect(received).toEqual(Array.from({ length: pieces }, (_, piece) => piece));
  expect(turns).toBeGreaterThanOrEqual(pieces);
});

it('rests longer than it works after a request of others', async () => {
  // Before each piece: on a busy machine all of them take longer than others count as asking.
  const { received, restedMs } = await receive(() => app.inject('/'));
  expect(received).toHaveLength(pieces);
  // Timers may begin up to a millisecond early.
  expect(restedMs).toBeGreaterThanOrEqual(pieces * (2 * pieceMs - 1));
});
