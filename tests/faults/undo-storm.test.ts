import { expect } from 'vitest';
import { pushers, testOnWorkers } from '../support/test.ts';
import { createRandom, seedOfRun } from './fault-random.ts';
import { runUndoStorm } from './undo-storm.ts';

const it = testOnWorkers(pushers);
const sizes = {
  created: 36,
  updated: 18,
  takenOver: 3,
  unchanged: 3,
  touched: 9,
  kills: 2,
  latencyMs: 300,
};

it('an undo of a push brings the catalogue back, but for what a colleague changed, wherever its worker is killed', async ({
  stack,
}) => {
  const seed = seedOfRun();
  const { wrong } = await runUndoStorm(stack, sizes, createRandom(seed));
  expect(wrong, `FAULT_SEED=${seed}`).toEqual([]);
});
