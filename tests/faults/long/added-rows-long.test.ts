import { afterAll, beforeAll, expect, it } from 'vitest';
import { runAddedStorm } from '../added-storm.ts';
import { createRandom, seedOfRun } from '../fault-random.ts';
import { type FaultStack, startFaultStack } from '../fault-stack.ts';

const rounds = 200;
const seed = seedOfRun();

let stack: FaultStack;
beforeAll(async () => {
  stack = await startFaultStack('postgres');
});
afterAll(() => stack?.close());

it(`${rounds} rounds of adding products while others change the import`, async () => {
  console.log(`seed ${seed}`);
  expect(await runAddedStorm(stack, rounds, createRandom(seed))).toEqual([]);
});
