import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Stack, startStack } from '../support/stack.ts';
import { runAddedStorm } from './added-storm.ts';
import { createRandom, seedOfRun } from './fault-random.ts';

const rounds = 6;
const seed = seedOfRun();

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.close());

it(`${rounds} rounds of adding products while others change the import (seed ${seed})`, async () => {
  expect(await runAddedStorm(stack, rounds, createRandom(seed))).toEqual([]);
});
