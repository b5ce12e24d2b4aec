import { expect, test } from 'vitest';
import { parseMoney } from '../base/money.ts';
import { seededRandom } from '../testing/random.ts';
import { createAmountCounter, rewriteAmount, withReadings } from './column-readings.ts';
import { parseAmbiguousCell } from './decimal-marks.ts';

const columns = 20_000;
const cellsMax = 24;

const grouped = (whole: string, mark: string) => whole.replace(/\B(?=(\d{3})+$)/g, mark);
const inLakhs = (whole: string) => whole.replace(/\B(?=(\d{2})*\d{3}$)/g, ',');
const [whole, cents] = [
  (amount: number) => String(Math.floor(amount / 100)),
  (amount: number) => String(amount % 100).padStart(2, '0'),
];
/** Decimals as programs write them that leave out zeros at the end. */
const short = (amount: number, mark: string) =>
  amount % 100 === 0 ? '' : `${mark}${cents(amount).replace(/0$/, '')}`;

/** Ways to write an amount in hundredths. Those of whole amounts have no decimals. */
const conventions: { write: (amount: number) => string; isWhole?: true }[] = [
  { write: (amount) => `${whole(amount)}.${cents(amount)}` },
  { write: (amount) => `${grouped(whole(amount), ',')}.${cents(amount)}` },
  { write: (amount) => `${whole(amount)},${cents(amount)}` },
  { write: (amount) => `${grouped(whole(amount), '.')},${cents(amount)} €` },
  { write: (amount) => `CHF ${grouped(whole(amount), "'")}.${cents(amount)}` },
  { write: (amount) => `${grouped(whole(amount), '\u00a0')},${cents(amount)}` },
  { write: (amount) => `${grouped(whole(amount), '.')},${amount % 100 === 0 ? '-' : cents(amount)}` },
  { write: (amount) => `$${inLakhs(whole(amount))}.${cents(amount)}` },
  { write: (amount) => `${whole(amount)}${short(amount, '.')}` },
  { write: (amount) => `${whole(amount)}${short(amount, ',')}` },
  { write: (amount) => grouped(whole(amount), '.'), isWhole: true },
  { write: (amount) => grouped(whole(amount), ','), isWhole: true },
];
const noise = ['', 'on request', 'TBD', '-', 'n/a'];

test('20,000 columns in twelve notations are read right, or asked about', () => {
  const random = seededRandom(31);
  let [proven, askedProven] = [0, 0];
  for (let nth = 0; nth < columns; nth += 1) {
    const { write, isWhole = false } = conventions[nth % conventions.length] as (typeof conventions)[number];
    const prices = Array.from({ length: 2 + random(cellsMax) }, () => {
      const amount = 1 + random(10 ** (3 + random(5)));
      return isWhole ? Math.max(100, amount - (amount % 100)) : amount;
    });
    const cells = prices.flatMap((amount) => {
      const written = { amount, cell: write(amount) };
      return random(6) === 0
        ? [{ amount: null, cell: noise[random(noise.length)] ?? '' }, written]
        : [written];
    });
    const mapping = { columns: [{ header: 'Price', field: 'price' as const }], sources: { price: [0] } };
    const counter = createAmountCounter(mapping);
    for (const { cell } of cells) counter.add({ cell: () => cell });
    const read = withReadings(mapping, counter);
    const hasProof = cells.some(
      ({ amount, cell }) => amount !== null && /[.,]/.test(cell) && !parseAmbiguousCell(cell),
    );
    const isAsked = read.questions !== undefined;
    if (hasProof) proven += 1;
    if (hasProof && isAsked) askedProven += 1;
    if (isAsked) continue;
    for (const { amount, cell } of cells) {
      if (amount === null) continue;
      const value = Number(parseMoney(rewriteAmount(cell, 0, read))?.amount);
      if (Math.round(value * 100) !== amount)
        throw new Error(`${cell} is read as ${value} in ${cells.map((one) => one.cell).join(' | ')}`);
    }
  }
  expect(proven).toBeGreaterThan(columns / 2);
  expect(askedProven).toBeLessThanOrEqual(proven * 0.02);
});
