import { expect, test } from 'vitest';
import type { Operation } from './operation.ts';
import { findRefusedCells } from './refused-cells.ts';

const prices: Operation = {
  kind: 'paste',
  field: 'price',
  cells: [
    [9, 'abc'],
    [3, '0'],
    [4, ' 12 '],
    [5, ''],
    [6, 'ask'],
  ],
};

test('finds pasted values that their field can’t have, by row, in the rows that are asked about', () => {
  const quantity: Operation = { kind: 'paste', field: 'quantity', cells: [[4, '1.5']] };
  expect(findRefusedCells([prices, quantity], (row) => row !== 6)).toEqual([
    { row: 3, field: 'price', before: null, reason: 'no-result', refused: '0' },
    { row: 4, field: 'quantity', before: null, reason: 'not-allowed', refused: '1.5' },
    { row: 9, field: 'price', before: null, reason: 'not-allowed', refused: 'abc' },
  ]);
});

test('takes the last value of a cell, and says nothing of operations that do more than paste', () => {
  const again: Operation = { kind: 'paste', field: 'price', cells: [[9, '5']] };
  expect(findRefusedCells([prices, again], () => true).map(({ row }) => row)).toEqual([3, 6]);
  expect(findRefusedCells([prices, { kind: 'clear', field: 'cost' }], () => true)).toEqual([]);
});
