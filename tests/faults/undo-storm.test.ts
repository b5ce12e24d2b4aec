import { expect } from 'vitest';
import { isLong } from '../support/queue-backend.ts';
import { pushers, testOnWorkers } from '../support/test.ts';
import { createRandom, seedOfRun } from './fault-random.ts';
import { runUndoStorm } from './undo-storm.ts';

const it = testOnWorkers(pushers);
const sizes = isLong
  ? { created: 36, updated: 18, takenOver: 3, unchanged: 3, touched: 9, kills: 2, latencyMs: 300 }
  : { created: 16, updated: 10, takenOver: 2, unchanged: 2, touched: 6, kills: 1, latencyMs: 100 };

it('an undo of a push brings the catalogue back, but for what a colleague changed, wherever its worker is killed', async ({
  stack,
}) => {
  const seed = seedOfRun();
  const { wrong } = await runUndoStorm(stack, sizes, createRandom(seed));
  expect(wrong, `FAULT_SEED=${seed}`).toEqual([]);
});
