import type { Row, RowPage } from '@draftshelf/contract/review/rows';
import type { InlineField } from '@draftshelf/domain/base/field-look';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { toast } from '../../../ui/feedback/toast-state.ts';
import { useListener } from '../../../ui/hooks.ts';
import { isPlainKey, isTextField } from '../../../ui/keys.ts';
import { useTableFits } from '../../../ui/table/record-table.tsx';
import { findProblemField, needsOperator } from '../cell-marks.ts';
import { isFiltered, pickFiltersAndSort, type RowsAddress } from '../rows-address.ts';
import { createSearchFailure, findRow, rowsPerPage } from '../rows-api.ts';
import type { Direction } from './grid-state.ts';
import { type GridStore, useArrival, useGridState } from './grid-store.ts';
import type { RowsPage } from './rows-page.ts';

type EditTarget = { row: number; field?: InlineField };

export type Problems = ReturnType<typeof useProblems>;

/** `needsYou`: number of rows in the import that need the operator. */
export const noMoreProblemsWords = (end: Direction, needsYou: number): string =>
  needsYou === 0 ? 'Nothing left to fix.' : `There is no ${end} row with a problem.`;

/** A problem is a row that needs the operator. Under a filter by issue, outcome or change, every row is a problem. */
export function useProblems(importId: string, page: RowsPage, isLocked: boolean, store: GridStore) {
  const { address, wanted, isLoading, goTo } = page;
  const { rows } = page.heldRows;
  const places = placesOf(page.query.data, rows);
  const at = JSON.stringify(address);
  const end = useGridState(store, (state) => (state.end?.at === at ? state.end.direction : null));
  useElsewhere(store);
  const edit = (target: EditTarget) => store.send({ kind: 'waits', for: { kind: 'edit', ...target } });
  const go = async (direction: Direction, from: number | null, isItself = false): Promise<boolean> => {
    const onPage = nextOn(rows, address, direction, { from, isItself });
    if (onPage !== undefined) {
      edit({ row: onPage.row });
      return true;
    }
    const cursor = direction === 'next' ? places.last : places.first;
    const search = { kind: 'search' } as const;
    store.send({ kind: 'waits', for: search });
    // Searches a sorted list with the same filter, because `cursor` is a position under that filter.
    const found = await (address.sort === undefined
      ? findRow(importId, { ...wanted, ...problemFilter(address) }, direction, cursor)
      : findRow(importId, wanted, direction, cursor, problemOf(address))
    ).catch((error: Error) => error);
    if (store.get().pending !== search) return true;
    if (found === null) store.send({ kind: 'ends', direction, at });
    else store.send({ kind: 'arrives' });
    if (found instanceof Error) {
      toast(createSearchFailure(found));
      return true;
    }
    if (found !== null && goTo(addressOf(found.place, address, direction))) edit({ row: found.row.row });
    return found !== null;
  };
  const onAct = () => store.send({ kind: 'acts' });
  useListener('window', 'click', onAct, { capture: true });
  useListener('window', 'keydown', onAct, { capture: true });
  const goFrom = (focused: EventTarget | null, direction: Direction) => {
    const place = findRowAround(focused);
    // If a cell or a checkbox is focused, its row is not edited yet, so this row may be the next problem.
    const isCell =
      direction === 'next' && focused instanceof Element && focused.matches('td, [type="checkbox"]');
    void go(direction, place ?? store.get().problemRow, place !== null && isCell);
  };
  const goOnceLoaded = ({ direction }: { direction: Direction }) =>
    isLocked || goFrom(document.activeElement, direction);
  useArrival(store, 'problem', () => !isLoading, goOnceLoaded);
  // The window gets keys after the document, whose shortcut `g` `p` opens a screen.
  useListener('window', 'keydown', (event) => {
    const direction = { n: 'next', p: 'previous' }[event.key] as Direction | undefined;
    if (direction === undefined || isLocked || event.defaultPrevented || !isPlainKey(event)) return;
    event.preventDefault();
    if (isLoading) store.send({ kind: 'waits', for: { kind: 'problem', direction } });
    else goFrom(event.target, direction);
  });
  return {
    end,
    edit,
    /** Resolves to false if there is no further problem. */
    go,
    /** Goes to the next problem: another problem in the row that was just saved, else a problem in a later row. */
    goOn: (row: Row, isSaved: boolean) => {
      const field = isSaved ? findProblemField(row) : null;
      if (field !== null) edit({ row: row.row, field });
      else void go('next', row.row);
    },
  };
}

/** Returns the positions of the first and last row in the sorted list, or their row numbers if it is not sorted. */
function placesOf(page: RowPage | undefined, rows: readonly Row[]): { first: number; last: number } {
  const numbers = rows.map(({ row }) => row);
  return page?.sorted ?? { first: Math.min(...numbers, rowNumberMax), last: Math.max(0, ...numbers) };
}

const rowNumberMax = 2 ** 31 - 1;

const pressed = 'a, button, summary, input, select, td[data-field]';
const dialogOf = (element: EventTarget | null) =>
  element instanceof Element ? element.closest('[role="dialog"], [role="alertdialog"]') : null;

/**
 * Reports that the operator has begun something else: pressed a button, cell or link, or focused a text field or
 * dialog. Tab and presses elsewhere do not count.
 */
function useElsewhere(store: GridStore): void {
  const onPress = ({ target }: Event) => {
    if (target instanceof Element && target.closest(pressed) !== null) store.send({ kind: 'elsewhere' });
  };
  const onFocus = ({ target, relatedTarget }: FocusEvent) => {
    const isOther = isTextField(target) || dialogOf(target) !== dialogOf(relatedTarget);
    if (isOther) store.send({ kind: 'elsewhere' });
  };
  useListener('window', 'click', onPress, { capture: true });
  useListener('document', 'focusin', onFocus);
}

export function findRowAround(focused: EventTarget | null): number | null {
  const row =
    focused instanceof Element ? focused.closest<HTMLElement>('[data-row]')?.dataset.row : undefined;
  return row === undefined ? null : Number(row);
}

/** Returns the next problem on this page. `isItself`: true if the row `from` may be the result. */
function nextOn(
  rows: readonly Row[],
  address: RowsAddress,
  direction: Direction,
  { from, isItself }: { from: number | null; isItself: boolean },
): Row | undefined {
  const isProblem = problemOf(address);
  const at = rows.findIndex(({ row }) => row === from);
  if (direction === 'previous') return rows.slice(0, at === -1 ? rows.length : at).findLast(isProblem);
  return rows.slice(at === -1 || isItself ? Math.max(at, 0) : at + 1).find(isProblem);
}

/** Returns a test for problems. Under a filter by issue, outcome, change or class 'valid', every row is a problem. */
function problemOf({ issue, outcome, change, class: ofClass }: RowsAddress): (row: Row) => boolean {
  const isEvery = [issue, outcome, change].some((name) => name !== undefined) || ofClass === 'valid';
  return (row) => row.ignored === null && (isEvery || needsOperator(row));
}

function problemFilter(address: RowsAddress): RowsAddress {
  const { sort: _sort, ...filter } = pickFiltersAndSort(address);
  const selects = [filter.class, filter.issue, filter.outcome, filter.change].some(
    (name) => name !== undefined,
  );
  return selects ? filter : { ...filter, class: 'needs-you' };
}

function addressOf(place: number, address: RowsAddress, direction: Direction): RowsAddress {
  if (!isFiltered(address)) return { ...pickFiltersAndSort(address), page: Math.ceil(place / rowsPerPage) };
  return {
    ...pickFiltersAndSort(address),
    ...(direction === 'next' ? { after: place - 1 } : { before: place + 1 }),
  };
}

/** State of a link that focuses the first row that needs the operator, also on the page that is already open. */
export const firstProblemLinkState = { toFirstProblem: true } as const;

/** State of a link to fix rows. On a phone, this link also opens the first row. */
export const fixLinkState = { ...firstProblemLinkState, toFixing: true } as const;

/** Minimum width of the table in rem. Narrower windows show cards. */
export const tableRemMin = 44;

/**
 * Focuses the first wrong cell when the page opens on rows that need the operator, or when a link leads to them. Does
 * nothing if the operator has moved the focus. In a list of cards, only a link to fix rows opens a card, because a
 * phone then opens its keyboard. `rows`: undefined while loading or locked.
 */
export function useFirstProblem(
  isFirst: boolean,
  rows: readonly Row[] | undefined,
  { edit }: Pick<Problems, 'edit'>,
  store: GridStore,
): void {
  const { key, state } = useLocation();
  const isTable = useTableFits(tableRemMin);
  const [firstKey] = useState(key);
  const link = state as Partial<typeof fixLinkState> | null;
  const isLink = link?.toFirstProblem === true;
  // Back and Forward restore a link's state too, but must not move the focus.
  const isCalled = useNavigationType() !== 'POP' && isLink;
  /** Identifies the visit. Other filters or pages in the URL do not begin another visit. */
  const visit = isCalled ? key : firstKey;
  const settledVisits = useRef(new Set<string>());
  const find = useEffectEvent((visitedRows: readonly Row[], ofVisit: string) => {
    if (settledVisits.current.has(ofVisit)) return;
    settledVisits.current.add(ofVisit);
    const first = visitedRows.find((row) => row.ignored === null && findProblemField(row) !== null);
    const field = first === undefined ? null : findProblemField(first);
    if (!isFirst || first === undefined || field === null) return;
    if (!isTable && isCalled && link?.toFixing) edit({ row: first.row, field });
    if (isTable && (isCalled || isFocusFree())) store.patch({ focus: { row: first.row, field, on: 'cell' } });
  });
  useEffect(() => {
    if (rows !== undefined) find(rows, visit);
  }, [rows, visit]);
}

function isFocusFree(): boolean {
  const focused = document.activeElement;
  if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return false;
  return focused === null || focused === document.body || focused.matches('h1, main');
}
