import { expect, test } from 'vitest';
import { heldWords, type PricedImport, questionOf, questionWords } from './currency-words.ts';

const priced = (set: Partial<PricedImport> = {}): PricedImport => ({
  id: 'a',
  filename: 'spree.csv',
  otherCurrency: { named: ['USD'], store: 'CAD', answer: null },
  shop: null,
  ...set,
});

test('an import is asked about before its first push', () => {
  expect(questionOf(priced())).not.toBeNull();
  expect(questionOf(priced({ otherCurrency: null }))).toBeNull();
  expect(questionOf(priced({ shop: 'mine.myshopify.com' }))).toBeNull();
});

test('an import that is held back says so until it is sent as it is', () => {
  const answered = (answer: 'send' | 'hold' | null) =>
    heldWords(priced({ otherCurrency: { named: ['USD'], store: 'CAD', answer } }));
  expect(answered('hold')).toBe('Held back. Prices are in USD, but the store uses CAD.');
  expect([answered('send'), answered(null)]).toEqual([null, null]);
});

test('the question names the currencies and says that nothing is converted', () => {
  expect(questionWords([priced()])).toEqual({
    title: 'Prices are in USD, but the store uses CAD.',
    text: 'spree.csv: Amounts aren’t converted: 10.00 USD becomes 10.00 CAD.',
  });
  expect(questionWords([priced(), priced({ filename: 'other.csv' })])).toEqual({
    title: 'Prices aren’t in CAD, the store’s currency',
    text: 'spree.csv and other.csv: Amounts aren’t converted: 10.00 USD becomes 10.00 CAD.',
  });
});
