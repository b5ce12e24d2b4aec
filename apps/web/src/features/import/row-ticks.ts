import type { Row } from '@draftshelf/contract/review/rows';
import { useState } from 'react';

/** The most rows that a call names by number. A test compares it with the contract, which loads later. */
export const ticksMax = 2_000;

export type Ticks = { rows: ReadonlySet<number>; last: number | null };

export const noTicks: Ticks = { rows: new Set(), last: null };

/** A click on the box of a row. `isRange`: also changes the rows between it and the box that was clicked before. */
export type Click = { row: number; isOn: boolean; isRange: boolean };

/** The ticks after a click. `onPage`: the rows of the page that can be ticked, in order. */
export function afterClick(
  { rows, last }: Ticks,
  onPage: readonly number[],
  { row, isOn, isRange }: Click,
): Ticks {
  const [at, from] = [onPage.indexOf(row), isRange && last !== null ? onPage.indexOf(last) : -1];
  const clicked = from === -1 ? [row] : onPage.slice(Math.min(at, from), Math.max(at, from) + 1);
  return { rows: withRows(rows, clicked, isOn), last: row };
}

/** The ticks after a click on the box of the page. */
export const afterPageClick = ({ rows }: Ticks, onPage: readonly number[], isOn: boolean): Ticks => ({
  rows: withRows(rows, onPage, isOn),
  last: null,
});

/** As many rows as a call can name. */
function withRows(rows: ReadonlySet<number>, clicked: readonly number[], isOn: boolean): ReadonlySet<number> {
  const next = new Set(rows);
  for (const row of clicked) {
    if (!isOn) next.delete(row);
    else if (next.size < ticksMax) next.add(row);
  }
  return next;
}

export type RowTicks = ReturnType<typeof useRowTicks>;

/** The ticked rows of an import. They outlive filters and pages, but not another reading of the file (`run`). */
export function useRowTicks(page: readonly Row[], run: number | undefined) {
  const [ofRun, setOfRun] = useState({ run, ticks: noTicks });
  const ticks = ofRun.run === run ? ofRun.ticks : noTicks;
  const set = (next: Ticks) => setOfRun({ run, ticks: next });
  const onPage = page.flatMap(({ row, ignored }) => (ignored === null ? [row] : []));
  const tickedHere = onPage.filter((row) => ticks.rows.has(row)).length;
  return {
    rows: ticks.rows,
    /** How many rows of the page are ticked. */
    ofPage: tickedHere === 0 ? ('none' as const) : tickedHere === onPage.length ? 'all' : 'some',
    click: (click: Click) => set(afterClick(ticks, onPage, click)),
    clickPage: (isOn: boolean) => set(afterPageClick(ticks, onPage, isOn)),
    clear: () => set(noTicks),
  };
}
