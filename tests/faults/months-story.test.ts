import { expect } from 'vitest';
import { isLong } from '../support/queue-backend.ts';
import { pushers, testOnWorkers } from '../support/test.ts';
import { createRandom, seedOfRun } from './fault-random.ts';
import { suppliers } from './months-lists.ts';
import { runMonths, type Schedule } from './months-story.ts';

const it = testOnWorkers(pushers);

const sixMonths: Schedule = {
  1: { lotto: { typedBefore: [7, 14] } },
  2: {
    lotto: { typedAfter: [9, 10] },
    packt: { changedAt: '2026-11-27T08:00:00Z', byTwo: true },
    sasse: { filename: 'sasse 2026-02.csv', late: 'name' },
  },
  3: {
    saba: { form: { renamed: true } },
    sasse: { form: { encoding: 'latin1' } },
    lotto: { late: 'rows', dearer: [9, 10] },
    packt: { filename: 'packt 2026-11.csv' },
    spree: { form: { renamed: true, encoding: 'utf8-bom' } },
  },
  4: {
    packt: { form: { shuffled: true } },
    spree: { cutOff: true },
    saba: { form: { shuffled: true }, overtaken: true },
    sasse: { saidLate: true },
  },
  5: { saba: { twice: true }, sasse: { form: { pricesOnly: true } }, spree: { renumbered: true } },
  6: { packt: { form: { shuffled: true, encoding: 'utf8-bom' } }, lotto: { form: { shuffled: true } } },
};

const twoMonths: Schedule = {
  1: { lotto: { typedBefore: [7, 14] } },
  2: {
    sasse: { form: { encoding: 'latin1' }, filename: 'sasse 2026-02.csv', late: 'name' },
    lotto: { typedAfter: [9, 10], overtaken: true },
    packt: { form: { shuffled: true }, changedAt: '2026-11-27T08:00:00Z', byTwo: true },
    spree: { form: { encoding: 'utf8-bom' }, renumbered: true },
  },
};

const played = isLong
  ? { months: 6, products: 100, schedule: sixMonths, names: suppliers.map(({ name }) => name) }
  : { months: 2, products: 14, schedule: twoMonths, names: ['sasse', 'lotto', 'packt', 'spree'] };
const seed = seedOfRun();

it(`${played.months} months of ${played.names.length} suppliers take nothing back, and ask nothing twice (seed ${seed})`, async ({
  stack,
}) => {
  const { wrong, decisions } = await runMonths(stack, createRandom(seed), played);
  expect(wrong, `FAULT_SEED=${seed}`).toEqual([]);
  console.log(`decisions by month: ${decisions.join(', ')}`);
});
