import type { Row } from '@draftshelf/contract/review/rows';
import { useState } from 'react';
import { changeMembership, sliceBetween } from '../../lib/range.ts';

/** Repeats the contract's limit of rows by number, because the contract is loaded later. A test compares both. */
export const ticksMax = 2_000;

export type Ticks = { rows: ReadonlySet<number>; last: number | null };

export const noTicks: Ticks = { rows: new Set(), last: null };

/** `isRange`: true for a click with Shift, which also changes the rows since the last click. */
export type TickClick = { row: number; isOn: boolean; isRange: boolean };

/** `onPage`: the rows of the page that can be ticked, in order. */
export const applyTickClick = (
  { rows, last }: Ticks,
  onPage: readonly number[],
  { row, isOn, isRange }: TickClick,
): Ticks => ({
  rows: changeMembership(rows, sliceBetween(onPage, isRange ? last : null, row), isOn, ticksMax),
  last: row,
});

export const applyPageClick = ({ rows }: Ticks, onPage: readonly number[], isOn: boolean): Ticks => ({
  rows: changeMembership(rows, onPage, isOn, ticksMax),
  last: null,
});

export type RowTicks = ReturnType<typeof useRowTicks>;

/** The ticked rows. Ticks survive another filter or page, but not a re-read of the file, which begins another `run`. */
export function useRowTicks(page: readonly Row[], run: number | undefined) {
  const [ofRun, setOfRun] = useState({ run, ticks: noTicks });
  const ticks = ofRun.run === run ? ofRun.ticks : noTicks;
  const set = (next: Ticks) => setOfRun({ run, ticks: next });
  const onPage = page.flatMap(({ row, ignored }) => (ignored === null ? [row] : []));
  const tickedHere = onPage.filter((row) => ticks.rows.has(row)).length;
  return {
    rows: ticks.rows,
    ofPage: tickedHere === 0 ? ('none' as const) : tickedHere === onPage.length ? 'all' : 'some',
    click: (click: TickClick) => set(applyTickClick(ticks, onPage, click)),
    clickPage: (isOn: boolean) => set(applyPageClick(ticks, onPage, isOn)),
    clear: () => set(noTicks),
  };
}
