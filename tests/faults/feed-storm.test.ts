import { expect, it } from 'vitest';
import { seedOfRun } from './fault-random.ts';
import { runFeedStorm } from './feed-storm.ts';

it('60 lists are fetched with mixed faults and a kill, and each is imported once', async () => {
  const sizes = { webFeeds: 9, sftpFeeds: 3, rounds: 5, kills: 1 };
  expect(await runFeedStorm({ ...sizes, seed: seedOfRun() })).toEqual({ wrong: [], fetches: 60 });
});
