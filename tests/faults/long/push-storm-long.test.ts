import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueBackends } from '../../support/queue-backend.ts';
import { createRandom, seedOfRun } from '../fault-random.ts';
import { type FaultStack, startFaultStack } from '../fault-stack.ts';
import { runPushStorm } from '../push-storm.ts';

const sizes = { products: 5_000, kills: 50, latencyMs: 300 };
const seed = seedOfRun();

let stack: FaultStack;

describe.each(queueBackends())('a long push through a storm, jobs in %s', (backend) => {
  beforeAll(async () => {
    stack = await startFaultStack(backend, { CONCURRENCY: '12' });
  });
  afterAll(() => stack?.close());

  it(`brings ${sizes.products} products exactly once through ${sizes.kills} kills -9`, async () => {
    console.log(`seed ${seed}`);
    expect(await runPushStorm(stack, sizes, createRandom(seed))).toEqual([]);
  });
});
