import { expect, inject, test } from 'vitest';
import { prepare } from './simulation/prepared.ts';
import { simulate } from './simulation/simulate.ts';

/** Three or four of each scenario, about 20 s on two quiet cores; npm run simulate runs any number. */
const seeds = 16;

test('pushes and undos end right in any order and with any fault, and a seed repeats its trace', async () => {
  const prepared = await prepare(inject('services'));
  const { failed, interleavings, met } = await simulate(prepared, { seeds, from: 1, twiceEvery: seeds });
  await prepared.close();
  expect(failed?.wrong ?? []).toEqual([]);
  expect(interleavings).toBe(seeds);
  for (const fault of ['kill before', 'kill after', 'freeze', 'job lost', 'call lost after']) {
    expect([...met.keys()]).toContain(fault);
  }
});
