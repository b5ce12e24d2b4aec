import { expect } from 'vitest';
import { isLong } from '../support/queue-backend.ts';
import { pushers, testOnWorkers } from '../support/test.ts';
import { createRandom, seedOfRun } from './fault-random.ts';
import { runMonths, type Schedule } from './months-story.ts';

const it = testOnWorkers(pushers);

const sixMonths: Schedule = {
  3: {
    saba: { form: { renamed: true } },
    sasse: { form: { encoding: 'latin1' } },
    lotto: { late: true },
    spree: { form: { renamed: true, encoding: 'utf8-bom' } },
  },
  4: { packt: { form: { shuffled: true } }, spree: { cutOff: true }, saba: { form: { shuffled: true } } },
  5: { saba: { twice: true }, sasse: { form: { pricesOnly: true } } },
  6: { packt: { form: { shuffled: true, encoding: 'utf8-bom' } }, lotto: { form: { shuffled: true } } },
};

const twoMonths: Schedule = {
  2: {
    saba: { form: { renamed: true, shuffled: true }, twice: true },
    sasse: { form: { encoding: 'latin1' } },
    packt: { form: { shuffled: true } },
    spree: { cutOff: true, form: { encoding: 'utf8-bom' } },
  },
};

const months = isLong ? 6 : 2;
const seed = seedOfRun();

it(`${months} months of five suppliers take nothing back, and ask nothing twice (seed ${seed})`, async ({
  stack,
}) => {
  const schedule = isLong ? sixMonths : twoMonths;
  const options = { months, products: isLong ? 100 : 20, schedule, gone: isLong };
  const { wrong, decisions } = await runMonths(stack, createRandom(seed), options);
  expect(wrong, `FAULT_SEED=${seed}`).toEqual([]);
  console.log(`decisions by month: ${decisions.join(', ')}`);
});
