import { expect } from 'vitest';
import { pushers, testOnWorkers } from '../support/test.ts';
import { createRandom, seedOfRun } from './fault-random.ts';
import { runMerchantStory } from './merchant-story.ts';

const it = testOnWorkers(pushers);
const first = seedOfRun();
const seeds = Array.from({ length: 20 }, (_, at) => first + at);

it.for(seeds)(
  'the files of a supplier change in a merchant’s shop only what they say, as planned and reported, and an undo brings it back (seed %s)',
  async (seed, { stack }) => {
    expect(await runMerchantStory(stack, createRandom(seed)), `FAULT_SEED=${seed}`).toEqual([]);
  },
);
