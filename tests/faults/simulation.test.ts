import { expect, inject, test } from 'vitest';
import { isLong } from '../support/queue-backend.ts';
import { prepare } from './simulation/prepared.ts';
import { outdatedFaults } from './simulation/put-back.ts';
import { scenarios } from './simulation/scenarios.ts';
import { simulate } from './simulation/simulate.ts';

/** Of each scenario; a seed takes about a second of processor time. */
const seeds = (isLong ? 80 : 25) * scenarios.length;

test('pushes and undos end right in any order and with any fault, and a seed repeats its trace', async () => {
  const prepared = await prepare(inject('services'));
  const plan = { seeds: Array.from({ length: seeds }, (_, nth) => nth + 1), twiceEvery: 100 };
  const { failed, interleavings, met } = await simulate(prepared, plan);
  await prepared.close();
  expect(failed?.wrong ?? []).toEqual([]);
  expect(interleavings).toBe(seeds);
  for (const fault of ['kill before', 'kill after', 'freeze', 'job lost', 'call lost after']) {
    expect([...met.keys()]).toContain(fault);
  }
});

test('the mended faults can still be put back', () => {
  expect(outdatedFaults()).toEqual([]);
});
