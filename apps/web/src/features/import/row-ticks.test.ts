import { targetRowsMax } from '@draftshelf/contract/wire';
import { expect, test } from 'vitest';
import { applyPageClick, applyTickClick, noTicks, ticksMax } from './row-ticks.ts';

const shown = [11, 12, 14, 15, 16];
const click = (row: number, isRange = false, isOn = true) => ({ row, isOn, isRange });

test('Shift also ticks the rows between two clicks, in both directions, and unticks them', () => {
  const one = applyTickClick(noTicks, shown, click(15));
  const three = applyTickClick(one, shown, click(12, true));
  expect([...three.rows].sort()).toEqual([12, 14, 15]);
  expect([...applyTickClick(three, shown, click(15, true, false)).rows]).toEqual([]);
});

test('with Shift, a click on another page ticks its row only', () => {
  const other = applyTickClick(noTicks, shown, click(15));
  expect([...applyTickClick(other, [40, 41, 42], click(42, true)).rows]).toEqual([15, 42]);
});

test('the box of a page ticks its rows and leaves those of other pages', () => {
  const other = applyTickClick(noTicks, [3], click(3));
  const all = applyPageClick(other, shown, true);
  expect([...all.rows]).toEqual([3, ...shown]);
  expect([...applyPageClick(all, shown, false).rows]).toEqual([3]);
});

test('no more rows are ticked than a call can name', () => {
  expect(ticksMax).toBe(targetRowsMax);
  const many = Array.from({ length: ticksMax + 1 }, (_, at) => at + 1);
  expect(applyPageClick(noTicks, many, true).rows.size).toBe(ticksMax);
});
