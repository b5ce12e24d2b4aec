import { expect } from 'vitest';
import { readers, testOnWorkers } from '../support/test.ts';
import { commandStorm } from './command-storm.ts';
import { createRandom, seedOfRun } from './fault-random.ts';

const it = testOnWorkers(readers);

it('a command is in effect as a whole or not at all, wherever its worker is killed', async ({ stack }) => {
  const seed = seedOfRun();
  const wrong = await commandStorm(stack, createRandom(seed), { rows: 700, kills: 1 });
  expect(wrong, `FAULT_SEED=${seed}`).toEqual([]);
});
