import { expect, test } from 'vitest';
import { isListFile } from './list-files.ts';

test.each([
  ...['a.csv', 'A.CSV', 'a.tsv', 'a.txt', 'Prices.xlsx', 'a.xlsm', 'a.xls', 'a.ods', 'a.zip', 'a.csv.gz'],
])('%s is taken', (name) => {
  expect(isListFile({ name, type: 'application/octet-stream' })).toBe(true);
});

test('so is any file of the type text/csv', () => {
  expect(isListFile({ name: 'export', type: 'Text/CSV' })).toBe(true);
});

test.each(['csv', 'photo.png', 'old.xlsb', 'a.csv.bak', 'a.7z', ''])('%s is not', (name) => {
  expect(isListFile({ name })).toBe(false);
});
