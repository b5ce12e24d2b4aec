import type { Row } from '@draftshelf/contract/review/rows';
import type { InlineField } from '@draftshelf/domain/base/field-look';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isPlainKey } from '../../../ui/hooks/search-field.ts';
import { needsOperator, problemField } from '../cell-marks.ts';
import { filterOf, isFiltered, type RowsAddress } from '../rows-address.ts';
import { findRow, rowsPerPage } from '../rows-api.ts';

export type Direction = 'next' | 'previous';

/** A row to edit, beginning with a field. Each request is a new object, so that the same row can be edited again. */
export type EditTarget = { row: number; field?: InlineField };

export type Problems = ReturnType<typeof useProblems>;

type ProblemsProps = {
  importId: string;
  address: RowsAddress;
  rows: readonly Row[];
  /** The rows are of the previous page, or none have been read yet. */
  isLoading: boolean;
  /** Shows another page of the filter; false if there is another filter now. */
  show: (address: RowsAddress) => boolean;
  isLocked: boolean;
};

/**
 * Goes from problem to problem, over all pages: with the keys `n` and `p`, and after a fix. A problem is a row that
 * needs the operator; under a filter by issue, outcome or change, every row of the filter.
 */
export function useProblems({ importId, address, rows, isLoading, show, isLocked }: ProblemsProps) {
  const [target, setTarget] = useState<EditTarget | null>(null);
  const [end, setEnd] = useState<Direction | null>(null);
  const last = useRef<number | null>(null);
  const edit = (next: EditTarget) => {
    last.current = next.row;
    setEnd(null);
    setTarget(next);
  };
  const go = async (direction: Direction, from: number): Promise<boolean> => {
    const onPage = nextOn(rows, address, direction, from);
    if (onPage !== undefined) {
      edit({ row: onPage.row });
      return true;
    }
    const bounds = rows.map(({ row }) => row);
    const cursor = direction === 'next' ? Math.max(from, ...bounds) : Math.min(from, ...bounds);
    const row = await findRow(importId, problemFilter(address), direction, cursor).catch(() => null);
    if (isOtherRowTyped(null)) return true;
    if (row === null) setEnd(direction);
    else if (show(addressOf(row, address, direction))) edit({ row });
    return row !== null;
  };
  useProblemKeys({ isLoading, isLocked }, (focused, direction) => {
    const place = rowOfElement(focused);
    // A row whose box has the focus is the next one itself: it is not edited yet.
    const isCell =
      direction === 'next' && focused instanceof Element && focused.matches('td, [type="checkbox"]');
    const from = place !== null && isCell ? place - 1 : place;
    void go(direction, from ?? last.current ?? beforeFirst(rows, direction));
  });
  return {
    target,
    /** There is no problem in this direction. */
    end,
    edit,
    /** Edits the next or previous problem; false if there is none. */
    go,
    /** Goes on with the next problem, which may be in the same row if it was just saved. */
    goOn: (row: Row, isSaved: boolean) => {
      const field = isSaved ? problemField(row) : null;
      if (field !== null) edit({ row: row.row, field });
      else void go('next', row.row);
    },
    /** The row to edit is being edited. */
    onEditBegun: () => setTarget(null),
  };
}

/** Calls `go` for the keys `n` and `p`; for a key that is pressed while rows load, once they are there. */
function useProblemKeys(
  { isLoading, isLocked }: Pick<ProblemsProps, 'isLoading' | 'isLocked'>,
  go: (focused: EventTarget | null, direction: Direction) => void,
): void {
  /** A key that was pressed while rows were loading, and what had the focus then. */
  const waiting = useRef<{ direction: Direction; focused: Element | null } | null>(null);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const direction = { n: 'next', p: 'previous' }[event.key] as Direction | undefined;
    if (direction === undefined || isLocked || event.defaultPrevented || !isPlainKey(event)) return;
    event.preventDefault();
    if (isLoading) waiting.current = { direction, focused: document.activeElement };
    else go(event.target, direction);
  });
  const onLoaded = useEffectEvent(() => {
    const pressed = waiting.current;
    waiting.current = null;
    if (pressed === null || isLocked) return;
    const { activeElement: focused } = document;
    // The operator has gone elsewhere meanwhile, such as into the search field.
    if (pressed.focused?.isConnected && pressed.focused !== focused) return;
    go(focused, pressed.direction);
  });
  useEffect(() => {
    if (!isLoading) onLoaded();
  }, [isLoading]);
  useEffect(() => {
    // On the window, after the document's shortcuts: `g` and `p` open a screen.
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

/** The number of the row that an element is in; null if it is in none. */
export function rowOfElement(focused: EventTarget | null): number | null {
  const row =
    focused instanceof Element ? focused.closest<HTMLElement>('[data-row]')?.dataset.row : undefined;
  return row === undefined ? null : Number(row);
}

/** Whether a field of the table has the focus, and is not of this row. */
export function isOtherRowTyped(row: number | null): boolean {
  const { activeElement } = document;
  return activeElement?.matches('tr [data-field] input') === true && rowOfElement(activeElement) !== row;
}

const beforeFirst = (rows: readonly Row[], direction: Direction) =>
  direction === 'next' ? (rows[0]?.row ?? 1) - 1 : (rows.at(-1)?.row ?? 0) + 1;

function nextOn(
  rows: readonly Row[],
  { issue, outcome, change, class: ofClass }: RowsAddress,
  direction: Direction,
  from: number,
): Row | undefined {
  const isEvery = [issue, outcome, change].some((name) => name !== undefined) || ofClass === 'valid';
  const isProblem = (row: Row) => row.ignored === null && (isEvery || needsOperator(row));
  return direction === 'next'
    ? rows.find((row) => row.row > from && isProblem(row))
    : rows.findLast((row) => row.row < from && isProblem(row));
}

/** The filter that finds problems. */
function problemFilter(address: RowsAddress): RowsAddress {
  const filter = filterOf(address);
  const selects = [filter.class, filter.issue, filter.outcome, filter.change].some(
    (name) => name !== undefined,
  );
  return selects ? filter : { ...filter, class: 'needs-you' };
}

/** The address of the page that shows a row. */
function addressOf(row: number, address: RowsAddress, direction: Direction): RowsAddress {
  if (!isFiltered(address)) return { page: Math.ceil(row / rowsPerPage) };
  return { ...filterOf(address), ...(direction === 'next' ? { after: row - 1 } : { before: row + 1 }) };
}
