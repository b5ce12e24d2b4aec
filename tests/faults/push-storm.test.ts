import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenarioBackends } from '../support/queue-backend.ts';
import { createRandom, seedOfRun } from './fault-random.ts';
import { type FaultStack, startFaultStack } from './fault-stack.ts';
import { runPushStorm } from './push-storm.ts';

const sizes = { products: 500, kills: 4, latencyMs: 200 };
const seed = seedOfRun();

let stack: FaultStack;

describe.each(scenarioBackends())('a push through a storm, jobs in %s', (backend) => {
  beforeAll(async () => {
    stack = await startFaultStack(backend, { CONCURRENCY: '4' });
  });
  afterAll(() => stack?.close());

  it(`brings ${sizes.products} products exactly once (seed ${seed})`, async () => {
    expect(await runPushStorm(stack, sizes, createRandom(seed))).toEqual([]);
  });
});
