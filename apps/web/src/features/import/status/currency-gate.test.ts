import { expect, test } from 'vitest';
import {
  countOpenQuestions,
  findCurrencyQuestion,
  heldReasonWords,
  type PricedImport,
  questionWords,
} from './currency-gate.tsx';

const priced = (set: Partial<PricedImport> = {}): PricedImport => ({
  id: 'a',
  filename: 'spree.csv',
  otherCurrency: { named: ['USD'], store: 'CAD', answer: null, rows: null },
  shop: null,
  ...set,
});

test('an import is asked about before its first push', () => {
  expect(findCurrencyQuestion(priced())).not.toBeNull();
  expect(findCurrencyQuestion(priced({ otherCurrency: null }))).toBeNull();
  expect(findCurrencyQuestion(priced({ shop: 'mine.myshopify.com' }))).toBeNull();
});

test('an import that is held back says so until it is sent as it is', () => {
  const answered = (answer: 'send' | 'hold' | null) =>
    heldReasonWords(priced({ otherCurrency: { named: ['USD'], store: 'CAD', answer, rows: null } }));
  expect(answered('hold')).toBe('Held back. Prices are in USD, but the store uses CAD.');
  expect([answered('send'), answered(null)]).toEqual([null, null]);
});

test('the question names the currencies and says that nothing is converted', () => {
  expect(questionWords([priced()])).toEqual({
    title: 'Prices are in USD, but the store uses CAD.',
    lines: ['spree.csv: amounts aren’t converted, so 10.00 USD becomes 10.00 CAD.'],
  });
  const euro = { named: ['EUR'], store: 'CAD', answer: null, rows: null };
  const asked = [
    priced(),
    priced({ filename: 'liq.csv', otherCurrency: euro }),
    priced({ filename: 'other.csv' }),
  ];
  expect(questionWords(asked, 2)).toEqual({
    title: 'Prices aren’t in CAD, the store’s currency',
    lines: [
      'spree.csv and other.csv: amounts aren’t converted, so 10.00 USD becomes 10.00 CAD.',
      'liq.csv: amounts aren’t converted, so 10.00 EUR becomes 10.00 CAD.',
      'The other 2 files are in CAD.',
    ],
  });
});

test('a few rows are asked about by themselves', () => {
  const few = (rows: number) =>
    priced({ filename: `${rows}.csv`, otherCurrency: { named: ['EUR'], store: 'CAD', answer: null, rows } });
  expect(questionWords([few(1)], 3)).toEqual({
    title: '1 row is in EUR, but the store uses CAD.',
    lines: [
      '1.csv: amounts aren’t converted, so 10.00 EUR becomes 10.00 CAD.',
      'All other rows are pushed, whatever you choose.',
    ],
  });
  expect(questionWords([few(1), few(2000)]).title).toBe('Some prices aren’t in CAD, the store’s currency');
  expect(questionWords([few(2000)]).title).toBe('2,000 rows are in EUR, but the store uses CAD.');
});

test('lists show the open questions of an import that waits for its push', () => {
  const shown = (status: string, set: Partial<PricedImport> = {}, columnQuestions = 0, asksRecipes = false) =>
    countOpenQuestions({ ...priced(set), status, columnQuestions, asksRecipes });
  expect([shown('processed'), shown('queued')]).toEqual([1, 1]);
  expect([shown('processing'), shown('completed')]).toEqual([0, 0]);
  expect(shown('processed', { shop: 'mine.myshopify.com' })).toBe(0);
  expect([shown('processed', {}, 2), shown('completed', {}, 2)]).toEqual([3, 0]);
  expect([shown('processed', {}, 0, true), shown('completed', {}, 0, true)]).toEqual([2, 0]);
  const held = { named: ['USD'], store: 'CAD', answer: 'hold' as const, rows: null };
  expect(shown('processed', { otherCurrency: held })).toBe(0);
});
