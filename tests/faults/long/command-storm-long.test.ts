import { afterAll, beforeAll, expect, it } from 'vitest';
import { browserOf } from '../../support/api-client.ts';
import { type Stack, startStack } from '../../support/stack.ts';
import { commandStorm } from '../command-storm.ts';
import { createRandom, seedOfRun } from '../fault-random.ts';
import { type OwnServices, startOwnServices } from '../own-services.ts';

const sizes = { rows: 10_000, kills: 20, recountsAtKills: true };
const seed = seedOfRun();

let services: OwnServices;
let stack: Stack;
beforeAll(async () => {
  services = await startOwnServices();
  stack = await startStack({ names: ['api', 'parse-worker', 'enrich-worker'], services });
});
afterAll(async () => {
  await stack?.close();
  await services?.stop();
});

it(`a command on ${sizes.rows} rows is in effect as a whole or not at all after ${sizes.kills} kills -9 each of its apply, undo and redo`, async () => {
  console.log(`seed ${seed}`);
  const api = browserOf(stack.apiUrl);
  await api.login();
  expect(await commandStorm({ ...stack, api }, createRandom(seed), sizes)).toEqual([]);
});
