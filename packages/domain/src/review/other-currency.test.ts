import { expect, test } from 'vitest';
import type { RowValues } from '../base/canonical-fields.ts';
import { createGrouper } from '../products/grouping.ts';
import { listVariantRows } from '../products/variant-rows.ts';
import { issuesIn, toIssueSet } from './issue-set.ts';
import {
  countIfMinority,
  findOtherCurrency,
  listOtherCurrencies,
  otherCurrencyText,
  unconvertedText,
} from './other-currency.ts';
import { createProductValidator, validateRow } from './validate-row.ts';

const inEuros = (values: RowValues, inherited: RowValues = {}) =>
  findOtherCurrency(values, { inherited, currency: 'EUR' });

test.each<[RowValues, string | null]>([
  [{ price: '69' }, null],
  [{ price: '69,00 €' }, null],
  [{ price: '$69' }, null],
  [{ price: 'ask' }, null],
  [{ price: 'CHF 69.-' }, 'price CHF 69'],
  [{ price: '69 USD' }, 'price USD 69'],
  [{ price: '69', cost: '£31.50' }, 'cost GBP 31.50'],
  [{ price: '69', compareAtPrice: '80.00 PLN' }, 'compareAtPrice PLN 80.00'],
  [{ price: '69', currency: 'usd' }, 'price USD 69'],
  [{ price: '69 €', currency: 'USD' }, null],
  [{ price: '69', currency: 'points' }, 'price points 69'],
  [{ price: '69', currency: 'US Dollar' }, 'price US Dollar 69'],
  [{ price: '69', currency: 'GBP £' }, 'price GBP 69'],
  [{ price: '69', currency: 'US' }, 'price US 69'],
  [{ price: '69', currency: 'Euros' }, null],
  [{ price: '69', currency: '€' }, null],
  [{ price: '69', currency: 'EUR - Euro' }, null],
  [{ price: '69', currency: 'n/a' }, null],
  [{ price: '69 kr' }, 'price kr 69'],
  [{ price: 'Rs. 4,999/-' }, 'price Rs 4999'],
  [{ price: '¥ 500', cost: '210' }, 'price ¥ 500'],
  [{ currency: 'USD' }, null],
])('%j in a shop with euros: %s', (values, expected) => {
  const found = inEuros(values);
  expect(found && `${found.field} ${found.named} ${found.amount}`).toBe(expected);
});

test('a sign or a name that the store’s currency has is that of the store', () => {
  const isOther = (values: RowValues, currency: string) =>
    findOtherCurrency(values, { inherited: {}, currency }) !== null;
  expect(isOther({ price: '69 kr' }, 'DKK')).toBe(false);
  expect(isOther({ price: 'Rs 69' }, 'INR')).toBe(false);
  expect(isOther({ price: '¥69' }, 'JPY')).toBe(false);
  for (const currency of [
    'Canadian Dollar',
    'dollars',
    '$',
    'CA$',
    'CAD $',
    'Dollar canadien',
    'Kanadischer Dollar',
  ]) {
    expect([currency, isOther({ price: '69', currency }, 'CAD')]).toEqual([currency, false]);
  }
  expect(isOther({ price: '69', currency: 'US Dollars' }, 'CAD')).toBe(true);
});

test('a row that repeats a price in another currency is not sent, one with its own option is', () => {
  const inherited = { title: 'Mill', price: '70' };
  expect(inEuros({ price: '80', currency: 'USD' }, inherited)).toBeNull();
  expect(inEuros({ price: '80', currency: 'USD', option1Value: 'Black' }, inherited)).not.toBeNull();
});

test('the sentence names both currencies, and the amount only where it is sent', () => {
  const other = { field: 'price', amount: '69', named: 'CHF' } as const;
  expect(otherCurrencyText(other, 'EUR')).toBe(
    'Price is in CHF, but the store uses EUR. Amounts aren’t converted.',
  );
  expect(unconvertedText(other, 'EUR')).toBe(
    'Price is in CHF, but the store uses EUR. It’s sent as 69 EUR, without conversion.',
  );
});

test('a row that repeats an earlier price in another currency says that it is not sent', () => {
  const rows: RowValues[] = [
    { title: 'Mill', sku: 'M', price: '0', currency: 'USD' },
    { sku: 'M-B', price: '70', currency: 'USD', option1Value: 'Black' },
    { sku: 'M-W', price: '71', currency: 'USD', option1Value: 'White' },
    { sku: 'M-B', price: '64', currency: 'EUR' },
    { sku: 'M-B', price: '60', currency: 'GBP' },
    { sku: 'M-W', price: '71', currency: 'USD', option1Value: 'Ivory' },
  ];
  const validator = createProductValidator({ currency: 'CAD', hasParents: true });
  expect(rows.map((row) => issuesIn(validator(row).issues))).toEqual([
    ['other-currency'],
    ['other-currency'],
    ['other-currency'],
    ['price-repeated'],
    ['price-repeated'],
    ['other-currency'],
  ]);
  expect(listVariantRows(rows).map(({ price }) => price)).toEqual(['70', '71', '71']);
  const groups = createGrouper({ kind: 'rows', byHandle: false, byParentSku: false });
  expect(rows.map((row) => groups(row).inherited.currency)).toEqual([
    ...[undefined, undefined, undefined],
    ...['USD', 'USD', undefined],
  ]);
});

test('the currencies of some rows are each named once', () => {
  const rows = [{ price: 'CHF 69.-' }, { price: '5' }, { price: 'CHF 70.-' }, { cost: '3 USD' }];
  expect(listOtherCurrencies(rows, 'EUR')).toEqual(['CHF', 'USD']);
});

test('the currencies of all amounts of a row are named, also behind one that was agreed', () => {
  const rows = [
    { price: '69 GBP', compareAtPrice: '80 USD', cost: '31 GBP' },
    { price: '69', currency: 'GBP', cost: 'CHF 31.50' },
    { price: '69 EUR', compareAtPrice: '80 PLN' },
  ];
  expect(listOtherCurrencies(rows, 'EUR')).toEqual(['GBP', 'USD', 'CHF', 'PLN']);
});

test('a row has the issue only if the currency of the store is known; its class stays', () => {
  const values = { title: 'Lamp', price: 'CHF 69.-' };
  expect(validateRow(values, {})).toMatchObject({ class: 'valid', issues: 0 });
  expect(validateRow(values, {}, { currency: 'EUR', hasParents: false })).toMatchObject({
    class: 'valid',
    issues: toIssueSet(['other-currency']),
  });
  expect(validateRow(values, {}, { currency: 'CHF', hasParents: false })).toMatchObject({
    class: 'valid',
    issues: 0,
  });
});

test('less than half of the priced rows are asked about by themselves', () => {
  const of = (other: number, priced: number) => countIfMinority({ other, priced });
  expect([of(1, 34), of(16, 33), of(17, 34), of(1, 1), of(1, 0)]).toEqual([1, 16, null, null, null]);
});
