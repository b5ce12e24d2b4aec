import type { Row } from '@draftshelf/contract/review/rows';
import { useState } from 'react';

/** The contract's limit of rows by number. A test compares both: the contract loads later. */
export const ticksMax = 2_000;

export type Ticks = { rows: ReadonlySet<number>; last: number | null };

export const noTicks: Ticks = { rows: new Set(), last: null };

/** `isRange`: also changes the rows since the last click. */
export type Click = { row: number; isOn: boolean; isRange: boolean };

/** `onPage`: the rows of the page that can be ticked, in order. */
export function afterClick(
  { rows, last }: Ticks,
  onPage: readonly number[],
  { row, isOn, isRange }: Click,
): Ticks {
  const [at, from] = [onPage.indexOf(row), isRange && last !== null ? onPage.indexOf(last) : -1];
  const clicked = from === -1 ? [row] : onPage.slice(Math.min(at, from), Math.max(at, from) + 1);
  return { rows: withRows(rows, clicked, isOn), last: row };
}

export const afterPageClick = ({ rows }: Ticks, onPage: readonly number[], isOn: boolean): Ticks => ({
  rows: withRows(rows, onPage, isOn),
  last: null,
});

function withRows(rows: ReadonlySet<number>, clicked: readonly number[], isOn: boolean): ReadonlySet<number> {
  const next = new Set(rows);
  for (const row of clicked) {
    if (!isOn) next.delete(row);
    else if (next.size < ticksMax) next.add(row);
  }
  return next;
}

export type RowTicks = ReturnType<typeof useRowTicks>;

/** Ticks outlive filters and pages, but not another reading of the file (`run`). */
export function useRowTicks(page: readonly Row[], run: number | undefined) {
  const [ofRun, setOfRun] = useState({ run, ticks: noTicks });
  const ticks = ofRun.run === run ? ofRun.ticks : noTicks;
  const set = (next: Ticks) => setOfRun({ run, ticks: next });
  const onPage = page.flatMap(({ row, ignored }) => (ignored === null ? [row] : []));
  const tickedHere = onPage.filter((row) => ticks.rows.has(row)).length;
  return {
    rows: ticks.rows,
    ofPage: tickedHere === 0 ? ('none' as const) : tickedHere === onPage.length ? 'all' : 'some',
    click: (click: Click) => set(afterClick(ticks, onPage, click)),
    clickPage: (isOn: boolean) => set(afterPageClick(ticks, onPage, isOn)),
    clear: () => set(noTicks),
  };
}
