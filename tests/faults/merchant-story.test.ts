import { describe, expect } from 'vitest';
import { isLong } from '../support/queue-backend.ts';
import { pushers, testOnWorkers, type WorkerStack } from '../support/test.ts';
import { createRandom, seedOfRun } from './fault-random.ts';
import { type Broken, type Claim, runMerchantStory } from './merchant-story.ts';

const it = testOnWorkers(pushers);
const first = seedOfRun();
const seeds = Array.from({ length: isLong ? 20 : 1 }, (_, at) => first + at);

/** Claims that the product still breaks. */
const open: Claim[] = ['renamed sizes'];

describe.each(seeds)('four files of a supplier in a merchant’s shop (seed %s)', (seed) => {
  let story: Promise<Broken> | undefined;
  const tell = (stack: WorkerStack) => {
    story ??= runMerchantStory(stack, createRandom(seed));
    return story;
  };

  it('change only what they say, as planned and reported, and an undo brings it back', async ({ stack }) => {
    const { others = [] } = await tell(stack);
    expect(others, `FAULT_SEED=${seed}`).toEqual([]);
  });

  it.for(open)('break the claim about %s', { fails: true }, async (claim, { stack }) => {
    expect((await tell(stack))[claim] ?? []).toEqual([]);
  });
});
