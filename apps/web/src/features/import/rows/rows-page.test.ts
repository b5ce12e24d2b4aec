import type { Row } from '@draftshelf/contract/review/rows';
import { expect, test } from 'vitest';
import {
  countLeftOut,
  countStillMatching,
  findFixedRows,
  findResolvedRows,
  findSavedRowsNotInReply,
  holdRows,
  releaseRows,
} from './rows-page.ts';

const row = (number: number, price = ''): Row => ({
  row: number,
  line: number + 1,
  product: number,
  ofProduct: null,
  class: price === '' ? 'warning' : 'valid',
  ignored: null,
  values: { price },
  sources: {},
  leftOut: false,
  cells: [],
  cellsAsRead: null,
  issues: [],
  outcome: null,
});
/** The numbers of rows, with their price if they have one. */
const shown = (rows: readonly Row[]) =>
  rows.map(({ row: number, values }) => `${number} ${values.price}`.trim());

const none = new Set<number>();
const one = new Set([4]);

test('a page shows its reply, and after a fix the same rows with fresh values', () => {
  const first = holdRows(null, 'a', [row(4), row(8), row(12)], { saved: none, edited: none });
  expect(shown(first.rows)).toEqual(['4', '8', '12']);
  const saved = { ...first, rows: [row(4, '5'), row(8), row(12)] };
  const reply = [row(8, '7'), row(12), row(16)];
  expect(shown(holdRows(saved, 'a', reply, { saved: one, edited: none }).rows)).toEqual(['4 5', '8 7', '12']);
});

test('another page, or a reply without a fix, replaces the rows', () => {
  const first = holdRows(null, 'a', [row(4), row(8)], { saved: none, edited: none });
  expect(shown(holdRows(first, 'b', [row(16)], { saved: one, edited: none }).rows)).toEqual(['16']);
  expect(shown(holdRows(first, 'a', [row(8)], { saved: none, edited: none }).rows)).toEqual(['8']);
});

test('a row that leaves the filter while it is edited stays until its edit is saved or discarded', () => {
  const source = [row(4), row(8)];
  const edited = holdRows(holdRows(null, 'a', source, { saved: none, edited: none }), 'a', source, {
    saved: none,
    edited: one,
  });
  const reply = [row(8, '7')];
  const left = holdRows(edited, 'a', reply, { saved: none, edited: one });
  expect(shown(left.rows)).toEqual(['4', '8 7']);
  expect(countStillMatching(left)).toBe(1);
  expect(shown(releaseRows(left).rows)).toEqual(shown(left.rows));
  expect(shown(holdRows(left, 'a', reply, { saved: one, edited: none }).rows)).toEqual(shown(left.rows));
  expect(shown(holdRows(left, 'a', reply, { saved: none, edited: none }).rows)).toEqual(['8 7']);
  // The rows that were fixed before stay.
  const others = { saved: new Set([8]), edited: none };
  expect(shown(holdRows(left, 'a', reply, others).rows)).toEqual(['8 7']);
});

test('a row is fixed until its fix is undone', () => {
  const saved = new Map([
    [4, true],
    [8, true],
    [12, false],
  ]);
  expect([...findFixedRows([row(4, '5'), row(8), row(12, '7')], saved)]).toEqual([4]);
});

test('a row that was fixed or left out elsewhere is found in the reply', () => {
  const held = holdRows(null, 'a', [row(4), row(8), row(12), row(16, '7')], { saved: none, edited: none });
  const leftOut = { ...row(8), leftOut: true };
  const reply = [row(4, '5'), leftOut, row(12), row(16, '9')];
  expect([...findResolvedRows(held, 'a', reply)]).toEqual([
    [4, true],
    [8, false],
  ]);
  expect(findResolvedRows(held, 'b', reply).size).toBe(0);
  expect(findResolvedRows(null, 'a', reply).size).toBe(0);
  const kept = holdRows(held, 'a', reply, { saved: new Set([4, 8]), edited: none });
  // The next reply has only the rows that still match: 16 has left them by no fix that is known here.
  const later = holdRows(kept, 'a', [row(12)], { saved: new Set([4, 8]), edited: none });
  expect(later.rows.map(({ row: number }) => number)).toEqual([4, 8, 12]);
  expect(countLeftOut(kept)).toBe(0);
  expect(countLeftOut(later)).toBe(1);
});

test('rows that stay although they have left the filter are read again', () => {
  const before = { key: 'a', source: [row(8)], rows: [row(4), row(8), row(12), row(16)], edited: none };
  const saved = new Map([
    [4, false],
    [8, false],
    [12, true],
  ]);
  expect(findSavedRowsNotInReply(before, saved)).toEqual([4, 12]);
  expect(findSavedRowsNotInReply(before, new Map())).toEqual([]);
});
