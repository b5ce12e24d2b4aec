import type { Row } from '@draftshelf/contract/review/rows';
import { useState } from 'react';

/** The most rows that a call names by number. A test compares it with the contract, which loads later. */
export const ticksMax = 2_000;

export type Ticks = { rows: ReadonlySet<number>; last: number | null };

export const noTicks: Ticks = { rows: new Set(), last: null };

/** A click on the box of a row. `isRange`: also changes the rows between it and the box that was clicked before. */
export type Click = { row: number; isOn: boolean; isRange: boolean };

/** The ticks after a click. `shown`: the rows that can be ticked, in the order of the page. */
export function afterClick(
  { rows, last }: Ticks,
  shown: readonly number[],
  { row, isOn, isRange }: Click,
): Ticks {
  const [at, from] = [shown.indexOf(row), isRange && last !== null ? shown.indexOf(last) : -1];
  const clicked = from === -1 ? [row] : shown.slice(Math.min(at, from), Math.max(at, from) + 1);
  return { rows: withRows(rows, clicked, isOn), last: row };
}

/** The ticks after a click on the box of the page. */
export const afterPageClick = ({ rows }: Ticks, shown: readonly number[], isOn: boolean): Ticks => ({
  rows: withRows(rows, shown, isOn),
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
  const [known, setKnown] = useState({ run, ticks: noTicks });
  const ticks = known.run === run ? known.ticks : noTicks;
  const set = (next: Ticks) => setKnown({ run, ticks: next });
  const shown = page.flatMap(({ row, ignored }) => (ignored === null ? [row] : []));
  const tickedHere = shown.filter((row) => ticks.rows.has(row)).length;
  return {
    rows: ticks.rows,
    /** How many of the shown rows are ticked. */
    ofPage: tickedHere === 0 ? ('none' as const) : tickedHere === shown.length ? 'all' : 'some',
    click: (click: Click) => set(afterClick(ticks, shown, click)),
    clickPage: (isOn: boolean) => set(afterPageClick(ticks, shown, isOn)),
    clear: () => set(noTicks),
  };
}
