import { expect, test } from 'vitest';
import { splitOptionText } from '../products/variant-options.ts';
import { clusterValues } from './value-clusters.ts';

const counted = (...values: string[]) => values.map((value, at) => ({ value, rows: 100 - at }));
const spellings = (...values: string[]) =>
  clusterValues(counted(...values)).map((cluster) => cluster.map(({ value }) => value));

test.each([
  ['case', 'Nike', 'NIKE', 'nike'],
  ['spaces', 'New Balance', 'New  Balance', ' New Balance'],
  ['punctuation', 'Dr. Martens', 'Dr Martens', 'Dr Martens.'],
  ['dashes', 'Coca-Cola', 'Coca Cola', 'coca_cola'],
  ['accents', 'Nestlé', 'Nestle', 'NESTLE\u0301'],
  ['the order of words', 'Decker & Black', 'Black Decker', 'black & decker'],
  ['full-width letters', 'Ｎｉｋｅ', 'Nike'],
])('values that differ in %s are one cluster', (_, ...values) => {
  expect(spellings('Other', ...values)).toEqual([values]);
});

test.each([
  ['12.5', '125'],
  ['1/2', '12'],
  ['10 x 20', '20 x 10'],
  ['1-2', '12'],
  ['Nike', 'Nikes'],
  ['A+', 'A'],
  ['?', '!'],
])('%s and %s are not the same', (one, other) => {
  expect(spellings(one, other)).toEqual([]);
});

test('the cluster with the most rows comes first, and within it the commonest spelling', () => {
  const clusters = clusterValues([
    { value: 'adidas', rows: 3 },
    { value: 'NIKE', rows: 170 },
    { value: 'Adidas', rows: 9 },
    { value: 'Nike', rows: 1020 },
  ]);
  expect(clusters.map((cluster) => cluster.map(({ value }) => value))).toEqual([
    ['Nike', 'NIKE'],
    ['Adidas', 'adidas'],
  ]);
});

test('neither clusters nor their spellings grow beyond what a screen can show', () => {
  const brands = Array.from({ length: 100 }, (_, at) => [`Brand ${at}`, `BRAND ${at}`]).flat();
  expect(spellings(...brands)).toHaveLength(50);
  const one = Array.from({ length: 64 }, (_, at) =>
    [...'abcdef'].map((letter, bit) => ((at >> bit) & 1 ? letter.toUpperCase() : letter)).join(''),
  );
  expect(spellings(...one).map(({ length }) => length)).toEqual([20]);
});

test('values of options are only compared with those of the same option', () => {
  const values = counted('Size: sm.', 'Size: Sm', 'Length: Sm', 'Color: Red', 'Shade: red', 'Color: red');
  const clusters = clusterValues(values, splitOptionText).map((cluster) => cluster.map(({ value }) => value));
  expect(clusters).toEqual([
    ['Size: sm.', 'Size: Sm'],
    ['Color: Red', 'Color: red'],
  ]);
});
