import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedOfRun } from '../fault-random.ts';
import { runFeedStorm } from '../feed-storm.ts';
import { type OwnServices, startOwnServices } from '../own-services.ts';

let services: OwnServices;
beforeAll(async () => {
  services = await startOwnServices();
});
afterAll(() => services?.stop());

it('1,000 lists are fetched with mixed faults and 25 kills, and each is imported once', async () => {
  const sizes = { webFeeds: 16, sftpFeeds: 4, rounds: 50, kills: 25 };
  expect(await runFeedStorm({ ...sizes, seed: seedOfRun(), services })).toEqual({
    wrong: [],
    fetches: 1_000,
  });
});
