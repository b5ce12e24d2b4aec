import { expect, inject, test } from 'vitest';
import { prepareImport } from './simulation/prepared.ts';
import { simulate } from './simulation/simulate.ts';

/** About 20 s on two quiet cores; npm run simulate runs any number. */
const seeds = 16;

test('pushes end right in every order and with every fault, and a seed repeats its trace', async () => {
  const prepared = await prepareImport(inject('services'), 6);
  const { failed, interleavings, met } = await simulate(prepared, { seeds, from: 1, twiceEvery: seeds });
  expect(failed?.wrong ?? []).toEqual([]);
  expect(interleavings).toBe(seeds);
  for (const fault of ['kill before', 'kill after', 'freeze', 'job lost', 'call lost after']) {
    expect([...met.keys()]).toContain(fault);
  }
});
