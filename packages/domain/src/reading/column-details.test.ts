import { expect, test } from 'vitest';
import { describeColumns, findPossibleColumns } from './column-details.ts';
import { mapHeaders } from './mapping/header-mapping.ts';

const headers = ['Title', 'Price', 'Sale Price', 'Notes'];
const sample = [
  ['Lamp', '10', '9', ''],
  ['Lamp ', '20', '', 'x'.repeat(100)],
  ['Vase', '30', '8', ''],
  ['Bowl', '40', '7', ''],
  ['Dish', '50', '6', ''],
];

test('samples are the first three different values, trimmed and cut', () => {
  const [title, , , notes] = describeColumns(mapHeaders(headers, sample), sample);
  expect(title?.samples).toEqual(['Lamp', 'Vase', 'Bowl']);
  expect(notes?.samples).toEqual(['x'.repeat(80)]);
});

test('alternatives are other fields that the column may hold, at most three', () => {
  const mapping = mapHeaders(headers, sample);
  const details = describeColumns(mapping, sample);
  for (const [index, { alternatives }] of details.entries()) {
    expect(alternatives.length).toBeLessThanOrEqual(3);
    expect(alternatives.map(({ field }) => field)).not.toContain(mapping.columns[index]?.field);
  }
});

test('a column that the operator has set offers what was detected', () => {
  const mapping = mapHeaders(headers, sample, { Title: { field: null, by: 'operator' } });
  expect(describeColumns(mapping, sample)[0]?.alternatives[0]?.field).toBe('title');
});

test('for a field without a column, those that may hold it are named', () => {
  const list = ['Name', 'Retail Price(USD)', 'Supply Price(USD)', 'Barcode'];
  const rows = [
    ['Toner', '24.00', '9.10', '036000291452'],
    ['Serum', '31.50', '12.40', '012345678905'],
    ['Cream', '18.00', '7.05', '072527273070'],
  ];
  const mapping = mapHeaders(list, rows, {
    'Retail Price(USD)': { field: 'compareAtPrice', by: 'operator' },
    'Supply Price(USD)': { field: 'cost', by: 'operator' },
  });
  expect(mapping.sources.price).toBeUndefined();
  // A supply price is what the shop pays.
  expect(findPossibleColumns('price', mapping, rows)).toEqual(['Retail Price(USD)']);
});

test('the column of a required field is not named for another one', () => {
  const mapping = mapHeaders(headers, sample, { Price: { field: 'title', by: 'operator' } });
  expect(findPossibleColumns('price', mapping, sample)).not.toContain('Price');
});
