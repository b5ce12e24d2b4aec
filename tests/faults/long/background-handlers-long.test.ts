import { backgroundTaskOf, type TaskHost } from '@draftshelf/domain/work/task-catalog';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/fixture.ts';
import { ownPort } from '../../support/own-port.ts';
import {
  beginImport,
  beginPush,
  type FaultStack,
  reachRest,
  startFaultStack,
  thaw,
  unlessAway,
} from '../fault-stack.ts';
import { type HeldKind, handlerWork, heldKinds } from '../held-handlers.ts';
import { installHolds } from '../holds.ts';

let stack: FaultStack;
let hold: Awaited<ReturnType<typeof installHolds<HeldKind>>>;
beforeAll(async () => {
  stack = await startFaultStack('postgres', { FOLDER_SETTLE_MS: '1' });
  await prepareStore(stack);
  const work = handlerWork(stack);
  const statements = heldKinds.map((kind) => [kind, work[kind].heldAfter]);
  hold = await installHolds(stack, Object.fromEntries(statements) as Record<HeldKind, string>);
});
afterAll(() => stack?.close());

/** Of the handler that is held, so that one failure is not followed by others. */
let releaseHeld = async () => {};
afterEach(() => releaseHeld());

/** Pushes a few products, so that there is something to copy and to compare. */
async function prepareStore(prepared: FaultStack): Promise<void> {
  const work = await beginImport(prepared, 5, 5);
  await reachRest(prepared, work.id);
  await beginPush(prepared, work, 5);
  expect(await reachRest(prepared, work.id)).toMatchObject({ status: 'completed', created: 5 });
}

const query = (text: string, values: unknown[]) => stack.database.pool.query(text, values);

/** As if its process had been silent for long enough. */
const lose = (kind: HeldKind) =>
  query(`update chunks set held_by = gen_random_uuid() where task = $1 and state = 'published'`, [kind]);

const faults: Record<string, (kind: HeldKind, release: () => Promise<void>) => Promise<void>> = {
  async 'kill -9'(kind, release) {
    const { place } = backgroundTaskOf(kind);
    await kill(place);
    await release();
    await lose(kind);
    await stack.start(place);
  },
  async 'kill -9, and a clock that was set back by an hour'(kind, release) {
    const { place } = backgroundTaskOf(kind);
    await kill(place);
    await release();
    await query(
      `update chunks set not_before = not_before + interval '1 hour', deferred_at = deferred_at + interval '1 hour'
       where task = $1`,
      [kind],
    );
    await query(`update processes set seen_at = seen_at + interval '1 hour' where kind = $1`, [place]);
    await stack.start(place);
  },
  async 'Postgres ends'(_kind, release) {
    await stack.services.endPostgres('SIGKILL');
    await release();
  },
};

async function kill(place: TaskHost): Promise<void> {
  stack.process(place).kill('SIGKILL');
  await stack.process(place).ended;
}

/** Begins the work of a kind and waits until its handler is in the middle of it. */
async function reachMiddle(
  kind: HeldKind,
): Promise<{ isDone: () => Promise<boolean>; release: () => Promise<void> }> {
  const held = await hold(kind);
  releaseHeld = held.release;
  const isDone = await handlerWork(stack)[kind].begin();
  await until(`${kind} is in the middle`, held.isWaiting);
  expect(await isDone()).toBe(false);
  return { isDone, release: held.release };
}

/** Waits until the work is done, exactly once, and its task says nothing else. */
async function expectDone(kind: HeldKind, isDone: () => Promise<boolean>): Promise<void> {
  await until(`${kind} is done`, unlessAway(isDone), 90_000);
  await until(`the task ${kind} rests`, async () => {
    const { rows } = await query('select error, attempts, waiting_for from chunks where task = $1', [kind]);
    return rows.every(({ error, attempts }) => error === null && attempts === 0);
  });
  expect(await isDone()).toBe(true);
}

const cases = Object.entries(faults).flatMap(([fault, inject]) =>
  heldKinds.map((kind) => ({ fault, kind, inject })),
);

test.for(cases)('$kind is done through: $fault', async ({ kind, inject }) => {
  const { isDone, release } = await reachMiddle(kind);
  await inject(kind, release);
  await expectDone(kind, isDone);
});

test.for(heldKinds)(
  '%s is done by another process while its own is frozen, which stores nothing more',
  async (kind) => {
    const { place } = backgroundTaskOf(kind);
    const frozen = stack.process(place);
    const other = await stack.startAnother(place, place === 'api' ? { PORT: String(await ownPort()) } : {});
    try {
      other.kill('SIGSTOP');
      const { isDone, release } = await reachMiddle(kind);
      frozen.kill('SIGSTOP');
      other.kill('SIGCONT');
      await release();
      await lose(kind);
      await expectDone(kind, isDone);
      await thaw(stack, frozen);
      await expectDone(kind, isDone);
    } finally {
      for (const process of [frozen, other]) process.kill('SIGCONT');
      await other.stop();
    }
  },
);
