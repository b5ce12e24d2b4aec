import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom, seedOfRun } from '../fault-random.ts';
import { type FaultStack, startFaultStack } from '../fault-stack.ts';
import { runUndoStorm } from '../undo-storm.ts';

const products = { created: 480, updated: 400, takenOver: 20, unchanged: 100 };
const sizes = { ...products, touched: 20, kills: 20, latencyMs: 300 };
const seed = seedOfRun();

let stack: FaultStack;
beforeAll(async () => {
  stack = await startFaultStack('postgres', { CONCURRENCY: '12' });
});
afterAll(() => stack?.close());

it(`the undo of a push of 1,000 products through ${sizes.kills} kills -9 leaves only what a colleague changed`, async () => {
  console.log(`seed ${seed}`);
  const { wrong, seconds } = await runUndoStorm(stack, sizes, createRandom(seed));
  console.log(`undone in ${seconds} s`);
  expect(wrong).toEqual([]);
});
