import { expect, test } from 'vitest';
import { seededRandom } from '../../testing/random.ts';
import { applyOperations } from './apply-operations.ts';
import type { Operation } from './operation.ts';

/**
 * Random operations on prices in random notations, compared with a calculation of its own: whole numbers of a billionth
 * of a cent, with remainders in place of fractions, and a search for the endings.
 */
const commands = 100_000;

const scale = 10n ** 11n;

type Notation = { write: (amount: string) => string; after: (amount: string) => string; currency: string };

/** How cells are written, how results are, and the currency that the cell names. `amount`: '1234.5'. */
const notations: readonly Notation[] = [
  { write: (amount) => amount, after: (amount) => amount, currency: '' },
  { write: (amount) => `$${grouped(amount, ',')}`, after: (amount) => `$${amount}`, currency: '' },
  { write: (amount) => `US$ ${amount}`, after: (amount) => `US$ ${amount}`, currency: 'USD' },
  {
    write: (amount) => `${grouped(amount.replace('.', ';'), '.').replace(';', ',')} €`,
    after: (amount) => `${amount} €`,
    currency: 'EUR',
  },
  { write: (amount) => `£${grouped(amount, ',')}`, after: (amount) => `£${amount}`, currency: 'GBP' },
  {
    write: (amount) => `CHF ${grouped(amount, '’')}`,
    after: (amount) => `CHF ${amount}`,
    currency: 'CHF',
  },
  { write: (amount) => `${grouped(amount, ' ')} JPY`, after: (amount) => `${amount} JPY`, currency: 'JPY' },
  { write: (amount) => `KWD ${amount}`, after: (amount) => `KWD ${amount}`, currency: 'KWD' },
];

const grouped = (amount: string, mark: string) =>
  amount.replace(/\B(?=(?:\d{3})+(?![\d]))(?<![.;]\d*)/g, mark);

const digitsOf: Record<string, number> = { JPY: 0, KWD: 3 };

type Cell = { text: string; units: bigint; notation: Notation };

/** Decimal text as a number of units of 10⁻¹¹. */
function unitsOf(decimal: string): bigint {
  const [, minus = '', whole = '', decimals = ''] = /^(-?)(\d*)\.?(\d*)$/.exec(decimal) ?? [];
  const units = BigInt(whole || '0') * scale + BigInt(decimals.padEnd(11, '0'));
  return minus === '' ? units : -units;
}

/** The quotient, rounded half away from zero. */
function quotient(over: bigint, under: bigint): bigint {
  const [size, by] = [over < 0n ? -over : over, under < 0n ? -under : under];
  const rounded = size / by + ((size % by) * 2n >= by ? 1n : 0n);
  return over < 0n === under < 0n ? rounded : -rounded;
}

/** A number as `over` / `under` units. */
type Exact = { over: bigint; under: bigint };

const ratio = (over: bigint, under = 1n): Exact => ({ over, under });

function expectedNumber(operation: Operation, price: bigint | null, cost: bigint | null): Exact | null {
  const value = operation.kind === 'percent-of' || operation.kind === 'margin' ? cost : price;
  if (value === null) throw new Error('not-a-number');
  switch (operation.kind) {
    case 'percent-of':
      return ratio(value * unitsOf(operation.percent), 100n * scale);
    case 'margin':
      return ratio(value * 100n * scale, 100n * scale - unitsOf(operation.percent));
    case 'round':
      return ratio(searched(operation, value));
    case 'calculate': {
      const by = unitsOf(operation.amount);
      if (operation.by === 'add') return ratio(value + by);
      if (operation.by === 'subtract') return ratio(value - by);
      if (operation.by === 'multiply') return ratio(value * by, scale);
      if (operation.by === 'percent') return ratio(value * (100n * scale + by), 100n * scale);
      return by === 0n ? null : ratio(value * scale, by);
    }
    default:
      throw new Error(operation.kind);
  }
}

/** Tries the candidates around a value, in ascending order. */
function searched({ to, direction }: Extract<Operation, { kind: 'round' }>, value: bigint): bigint {
  const step = 'step' in to ? unitsOf(to.step) : to.ending === '9' ? 10n * scale : scale;
  const first = 'step' in to ? 0n : to.ending === '9' ? 9n * scale : unitsOf(`0${to.ending}`);
  const start = (value / step - 3n) * step + first;
  const candidates = Array.from({ length: 7 }, (_, at) => start + BigInt(at) * step);
  const distance = (one: bigint) => (one < value ? value - one : one - value);
  const fits = candidates.filter(
    (one) => direction === 'nearest' || (direction === 'up' ? one >= value : one <= value),
  );
  return fits.reduce((best, one) => (distance(one) <= distance(best) ? one : best));
}

/** What a chain of operations makes of a price: its text, or why it stays. */
function expectedPrice(operations: readonly Operation[], price: Cell | null, cost: Cell | null): string {
  let now = price;
  for (const operation of operations) {
    const source = operation.kind === 'percent-of' || operation.kind === 'margin' ? cost : now;
    const result = expectedNumber(operation, now?.units ?? null, cost?.units ?? null);
    if (result === null || source === null) throw new Error('no-result');
    const foreign = source.notation.currency !== '' && source.notation.currency !== now?.notation.currency;
    const notation = now === null || foreign ? source.notation : now.notation;
    const isSame = now !== null && notation === now.notation && result.over === now.units * result.under;
    if (isSame && result.over > 0n) {
      if (operation.kind !== 'round' || isWritable(now?.units ?? 0n, notation)) continue;
    }
    const digits = digitsOf[notation.currency] ?? 2;
    const cent = scale / 10n ** BigInt(digits);
    const cents = quotient(result.over, result.under * cent);
    if (operation.kind === 'round' && cents * cent !== result.over) throw new Error('no-result');
    if (cents <= 0n) throw new Error('no-result');
    now = { text: notation.after(decimalOf(cents, digits)), units: cents * cent, notation };
  }
  const isSame = now !== null && now.units === price?.units;
  return now === null || (isSame && now.notation.currency === price?.notation.currency)
    ? 'unchanged'
    : now.text;
}

const isWritable = (units: bigint, { currency }: Notation): boolean =>
  units % (scale / 10n ** BigInt(digitsOf[currency] ?? 2)) === 0n;

function decimalOf(cents: bigint, digits: number): string {
  const text = String(cents);
  if (digits === 0) return text;
  const whole = text.length > digits ? text.slice(0, text.length - digits) : '0';
  return `${whole}.${text.slice(-digits).padStart(digits, '0')}`;
}

const random = seededRandom(20_261_122);
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;

function randomDecimal(wholeDigits: number, decimals: number): string {
  const whole = random(10 ** (1 + random(wholeDigits)));
  const places = random(decimals + 1);
  return places === 0 ? `${whole}` : `${whole}.${String(random(10 ** places)).padStart(places, '0')}`;
}

function randomPositive(wholeDigits: number, decimals: number): string {
  const decimal = randomDecimal(wholeDigits, decimals);
  return Number(decimal) > 0 ? decimal : '1';
}

function randomCell(): Cell | null {
  if (random(25) === 0) return null;
  const notation = pick(notations);
  // parseMoney reads '1,234' and '1.234 €' as it does without a decimal part; both are written here with two or none.
  const whole = String(random(10 ** (1 + random(7))));
  const amount = pick([whole, `${whole}.${String(random(100)).padStart(2, '0')}`]);
  const isBareGroup = notation.currency === 'EUR' && !amount.includes('.') && Number(whole) >= 1_000;
  const text = isBareGroup ? `${whole} €` : notation.write(amount);
  return { text, units: unitsOf(amount), notation };
}

const directions = ['nearest', 'up', 'down'] as const;
const endings = ['.99', '.95', '.00', '9'] as const;
const steps = ['0.01', '0.05', '0.5', '1', '10', '0.025', '0.3', '7'] as const;

function randomOperation(): Operation {
  const field = 'price';
  const sign = random(4) === 0 ? '-' : '';
  switch (random(6)) {
    case 0:
      return { kind: 'percent-of', field, of: 'cost', percent: randomPositive(3, 4) };
    case 1:
      return { kind: 'margin', percent: `${random(100)}.${1 + random(9)}` };
    case 2:
      return { kind: 'round', field, to: { ending: pick(endings) }, direction: pick(directions) };
    case 3:
      return { kind: 'round', field, to: { step: pick(steps) }, direction: pick(directions) };
    default: {
      const by = pick(['add', 'subtract', 'multiply', 'divide', 'percent'] as const);
      return { kind: 'calculate', field, by, amount: sign + randomDecimal(3, 6) };
    }
  }
}

function actualPrice(operations: readonly Operation[], price: Cell | null, cost: Cell | null): string {
  const values = { ...(price && { price: price.text }), ...(cost && { cost: cost.text }) };
  const more = { isInTarget: true, isIgnored: false, isLeftOut: false, cell: () => undefined };
  const { changes, left } = applyOperations(operations, {
    rows: [{ row: 1, values, ...more }],
    currency: null,
  });
  return left[0]?.reason ?? changes[0]?.after ?? 'unchanged';
}

function reasonOr(work: () => string): string {
  try {
    return work();
  } catch (error) {
    return (error as Error).message;
  }
}

/** On a busy machine, 100,000 commands take longer than other tests may. */
const testMsMax = 120_000;

test('calculates random prices exactly', { timeout: testMsMax }, () => {
  const results = new Map<string, number>();
  for (let n = 0; n < commands; n += 1) {
    const operations = Array.from({ length: 1 + random(4) }, randomOperation);
    const [price, cost] = [randomCell(), randomCell()];
    const actual = actualPrice(operations, price, cost);
    const expected = reasonOr(() => expectedPrice(operations, price, cost));
    if (actual !== expected) expect({ price, cost, operations, actual }).toEqual({ expected });
    const kind = /\d/.test(actual) ? 'changed' : actual;
    results.set(kind, (results.get(kind) ?? 0) + 1);
  }
  expect(results.get('changed')).toBeGreaterThan(commands / 2);
  expect([...results.keys()].toSorted()).toEqual(['changed', 'no-result', 'not-a-number', 'unchanged']);
});

test('rounds to an exact ending, up and down on the right side, and not again', () => {
  const isEnding = { '.99': /\.99$/, '.95': /\.95$/, '.00': /\.00$/, '9': /9\.00$/ };
  for (let n = 0; n < 5_000; n += 1) {
    const text = `${random(10_000)}.${String(random(100)).padStart(2, '0')}`;
    const price = { text, units: unitsOf(text), notation: notations[0] as Notation };
    const ending = pick(endings);
    const round = (direction: (typeof directions)[number], cell: Cell) =>
      actualPrice([{ kind: 'round', field: 'price', to: { ending }, direction }], cell, null);
    for (const direction of directions) {
      const result = round(direction, price);
      if (result === 'no-result') continue;
      const after = result === 'unchanged' ? text : result;
      expect(after).toMatch(isEnding[ending]);
      if (direction === 'up') expect(Number(after)).toBeGreaterThanOrEqual(Number(text));
      if (direction === 'down') expect(Number(after)).toBeLessThanOrEqual(Number(text));
      expect(round(direction, { ...price, text: after })).toBe('unchanged');
    }
  }
});
