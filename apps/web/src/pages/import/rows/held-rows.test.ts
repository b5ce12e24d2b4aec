import type { Row } from '@draftshelf/contract/rows';
import { expect, test } from 'vitest';
import { holdRows } from './held-rows.ts';

const row = (number: number, price = ''): Row => ({
  row: number,
  line: number + 1,
  product: number,
  ofProduct: null,
  class: price === '' ? 'warning' : 'valid',
  ignored: null,
  values: { price },
  sources: {},
  cells: [],
  cellsAsRead: null,
  issues: [],
  outcome: null,
});
const shown = (rows: readonly Row[]) => rows.map(({ row: number, values }) => [number, values.price]);

test('a page shows its reply, and after a fix the same rows with fresh values', () => {
  const first = holdRows(null, 'a', [row(4), row(8), row(12)], false);
  expect(shown(first.rows)).toEqual([
    [4, ''],
    [8, ''],
    [12, ''],
  ]);
  const saved = { ...first, rows: [row(4, '5'), row(8), row(12)] };
  const later = holdRows(saved, 'a', [row(8, '7'), row(12), row(16)], true);
  expect(shown(later.rows)).toEqual([
    [4, '5'],
    [8, '7'],
    [12, ''],
  ]);
});

test('another page, or a reply without a fix, replaces the rows', () => {
  const first = holdRows(null, 'a', [row(4), row(8)], false);
  expect(shown(holdRows(first, 'b', [row(16)], true).rows)).toEqual([[16, '']]);
  expect(shown(holdRows(first, 'a', [row(8)], false).rows)).toEqual([[8, '']]);
});
