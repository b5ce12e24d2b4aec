import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong, scenarioBackends } from '../support/queue-backend.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { createRandom, seedOfRun } from './fault-random.ts';
import { runPushStorm } from './push-storm.ts';

const sizes = isLong
  ? { products: 90, kills: 2, latencyMs: 200 }
  : { products: 30, kills: 1, latencyMs: 100 };
const seed = seedOfRun();

let stack: Stack;

describe.each(scenarioBackends())('a push through a storm, jobs in %s', (backend) => {
  beforeAll(async () => {
    stack = await startStack({ backend, asApp: true, env: { CONCURRENCY: '4' } });
  });
  afterAll(() => stack?.close());

  it(`brings ${sizes.products} products exactly once (seed ${seed})`, async () => {
    expect(await runPushStorm(stack, sizes, createRandom(seed))).toEqual([]);
  });
});
