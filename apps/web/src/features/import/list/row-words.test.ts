import type { List } from '@draftshelf/contract/imports/list';
import type { Row } from '@draftshelf/contract/review/rows';
import { expect, test } from 'vitest';
import { beforeOf, yoursWords } from './row-words.ts';

const row = (of: Partial<Row>) => ({ sources: {}, ...of }) as Row;
const priced = (price: string, priceBefore: string | null, sources: Row['sources'] = {}) =>
  beforeOf(
    row({ values: { price }, listed: { changes: [], priceBefore, quantityBefore: null }, sources }),
    'price',
  );
const stocked = (quantity: string, quantityBefore: number | null) =>
  beforeOf(
    row({ values: { quantity }, listed: { changes: [], priceBefore: null, quantityBefore } }),
    'quantity',
  );

test('a price says what it was, and by how much it is dearer or cheaper', () => {
  expect(priced('12.48', '12')).toEqual({ change: '+4 %', was: 'was 12.00' });
  expect(priced('$11.40', '12.00')).toEqual({ change: '−5 %', was: 'was 12.00' });
  expect(priced('1200.01', '1200')).toEqual({ change: '+0.1 %', was: 'was 1200.00' });
  expect(priced('12', '0')).toEqual({ change: 'new', was: 'was 0.00' });
  expect(priced('0.1255', '0.125')).toEqual({ change: '+0.4 %', was: 'was 0.125' });
});

test('a price that is the same, not known, invalid or edited says nothing', () => {
  expect(priced('12.00', '12')).toBeNull();
  expect(priced('12', null)).toBeNull();
  expect(priced('call us', '12')).toBeNull();
  expect(priced('14.40', '12', { price: 'edit' })).toBeNull();
  expect(beforeOf(row({ values: { price: '12' } }), 'price')).toBeNull();
  const doubled = { changes: ['doubled' as const], priceBefore: '10', quantityBefore: null };
  expect(beforeOf(row({ values: { price: '12' }, listed: doubled }), 'price')).toBeNull();
  expect(
    beforeOf(row({ values: {}, listed: { changes: [], priceBefore: '1', quantityBefore: 1 } }), 'title'),
  ).toBeNull();
});

test('a quantity says what it was', () => {
  expect(stocked('1', 3)).toEqual({ change: '−2', was: 'was 3' });
  expect(stocked('1500', 0)).toEqual({ change: '+1,500', was: 'was 0' });
  expect(stocked('3', 3)).toBeNull();
});

test('a carried value says since when it is the operator’s, and what the supplier says now', () => {
  const acme = { supplier: { id: 1, name: 'Acme' }, isNamed: true } as List;
  const year = new Date().getFullYear();
  const carried = {
    subject: 'A-1',
    since: `${year}-03-03T12:00:00Z`,
    filename: 'march.csv',
    theirs: '12.00',
  };
  expect(yoursWords(carried, acme)).toBe('Yours since March 3 (march.csv). Acme: 12.00');
  expect(yoursWords({ ...carried, theirs: null }, acme)).toBe(
    'Yours since March 3 (march.csv). Acme left it empty.',
  );
  expect(yoursWords({ ...carried, since: '2020-03-03T12:00:00Z' }, { ...acme, isNamed: false })).toBe(
    'Yours since March 3, 2020 (march.csv). This file: 12.00',
  );
});
