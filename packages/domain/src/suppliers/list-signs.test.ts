import { expect, test } from 'vitest';
import { type ListTraits, parseDateInName, suggestSupplierName, supplierSignsOf } from './list-signs.ts';

const list = (of: Partial<ListTraits> = {}): ListTraits => ({
  ...{ layout: null, filename: 'list.csv', path: null, rows: [] },
  ...of,
});
const filenameSign = (filename: string) =>
  supplierSignsOf(list({ filename })).find(({ kind }) => kind === 'filename')?.value;

test.each([
  ['Acme Price List March 2026.csv', 'acme'],
  ['acme_2026-04-01 (2).csv', 'acme'],
  ['ACME-avril-2026.CSV', 'acme'],
  ['Preisliste_März_Müller GmbH.csv', 'muller gmb h'],
  ['listino prezzi giugno.csv', undefined],
  ['прайс лист январь завод.csv', 'завод'],
  ['春江 价格表 3月.csv', '春江'],
  ['20260301.csv', undefined],
])('the words of %s are %s', (filename, words) => expect(filenameSign(filename)).toBe(words));

test('signs are the layout, the folder and the words of the name', () => {
  const path = '/lists/Boggi/boggi-april.csv';
  expect(supplierSignsOf(list({ layout: 'a1', path, filename: 'boggi-april.csv' }))).toEqual([
    { kind: 'layout', value: 'a1' },
    { kind: 'folder', value: '/lists/Boggi' },
    { kind: 'filename', value: 'boggi' },
  ]);
  expect(supplierSignsOf(list({ filename: 'april.csv' }))).toEqual([]);
});

test('a new supplier is named by its vendor, else its folder, else its file', () => {
  const rows = Array.from({ length: 9 }, () => ({ vendor: ' Boggi ' }));
  const path = '/lists/Italy/acme-april.csv';
  expect(suggestSupplierName(list({ rows: [...rows, { vendor: null }], path }))).toBe('Boggi');
  expect(suggestSupplierName(list({ rows: [...rows, { vendor: null }, { vendor: null }], path }))).toBe(
    'Italy',
  );
  expect(suggestSupplierName(list({ path, filename: 'acme-april.csv' }))).toBe('Italy');
  expect(suggestSupplierName(list({ path: 'acme.csv', filename: 'acme-and-sons 2026.csv' }))).toBe(
    'Acme And Sons',
  );
  expect(suggestSupplierName(list({ filename: 'preise_März_Müller GmbH(3).csv' }))).toBe('Müller GmbH');
  expect(suggestSupplierName(list({ path: '/lists/2026-07/acme.csv', filename: 'acme.csv' }))).toBe('Acme');
  expect(suggestSupplierName(list({ filename: '2026-04.csv' }))).toBeNull();
  expect(suggestSupplierName(list({ path: '/lists/juli/preise.csv', filename: 'preise.csv' }))).toBeNull();
});

test('the name of a new supplier has no characters that cannot be seen', () => {
  const named = (vendor: string, path: string | null = null) =>
    suggestSupplierName(list({ rows: [{ vendor }, { vendor }], path, filename: '1.csv' }));
  expect(named('Boggi\u202e\u2066 \n Milano')).toBe('Boggi Milano');
  expect(named('', '/in/Ita\u202ely/1.csv')).toBe('Italy');
  expect(named('\u202e')).toBeNull();
});

test.each([
  ['acme 2026-04-17.csv', '2026-04-17'],
  ['acme_20260417_v2.csv', '2026-04-17'],
  ['acme 17.04.2026.csv', '2026-04-17'],
  ['acme 3.4.2026.csv', '2026-04-03'],
  ['acme-04-17-2026.csv', '2026-04-17'],
  ['acme-03-04-2026.csv', null],
  ['acme-2026-04.csv', '2026-04-01'],
  ['Listino aprile 2026.csv', '2026-04-01'],
  ['april.csv', null],
  ['acme 2026.csv', null],
  ['acme-2026-13-40.csv', null],
  ['order 12026041.csv', null],
])('the date in %s is %s', (filename, date) => {
  const found = parseDateInName(filename);
  expect(found?.date.toISOString().slice(0, 10) ?? null).toBe(date);
  if (found) expect(found.isMonth).toBe(/-04\.csv|aprile/.test(filename));
});
