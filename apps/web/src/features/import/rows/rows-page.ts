import type { Row } from '@draftshelf/contract/review/rows';
import type { RowSort } from '@draftshelf/domain/review/row-sort';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { countPages } from '../../../ui/table/record-table.tsx';
import type { ShownImport } from '../imports-api.ts';
import {
  findOpeningFilter,
  formatRowsAddress,
  hasSameFilter,
  isFiltered,
  omitUndefined,
  pickFiltersAndSort,
  type RowsAddress,
  readAddressOrOpening,
  readCurrentAddress,
  setAddressPart,
} from '../rows-address.ts';
import { rowsPerPage, useRowPage, useRowsByNumber } from '../rows-api.ts';
import type { RowDrafts } from './row-edit.ts';

export type RowsPage = ReturnType<typeof useRowsPage>;

export function useRowsPage(record: ShownImport, open: number, drafts: RowDrafts) {
  const [lastTotal, setLastTotal] = useState(record.totalRows);
  const stage = JSON.stringify([record.startedAt, record.completedAt]);
  const { address, addressNow, show } = useRowsAddress(record, open, stage);
  const hasFilter = isFiltered(address);
  const pages = countPages(lastTotal, rowsPerPage);
  const pageNumber = Math.min(address.page ?? 1, pages);
  const wanted = pickFiltersAndSort(address);
  const selection = {
    ...wanted,
    ...(hasFilter
      ? omitUndefined({ after: address.after, before: address.before })
      : { after: (pageNumber - 1) * rowsPerPage }),
  };
  const query = useRowPage(record.id, selection);
  const totalRows = query.data?.totalRows ?? lastTotal;
  if (totalRows !== lastTotal) setLastTotal(totalRows);
  const isLoading = query.isPlaceholderData || query.data === undefined;
  // Contains the stage too, because another stage shows other rows.
  const key = JSON.stringify([selection, stage]);
  const heldRows = useHeldRows(key, query.data?.rows ?? noRows, isLoading, (row) => drafts.of(row) !== null);
  useUnreadRows(record.id, heldRows);
  const begin = useRef<HTMLDivElement>(null);
  /** Opens a page. Returns false if the filter has changed, because the page belongs to the earlier filter. */
  const goTo = (next: RowsAddress): boolean => {
    if (!hasSameFilter(addressNow(), address)) return false;
    show(next);
    if ((begin.current?.getBoundingClientRect().top ?? 0) < 0) begin.current?.scrollIntoView();
    return true;
  };
  return {
    ...{ address, addressNow, show, goTo, hasFilter },
    stage,
    ...{ pageNumber, pages, totalRows, query },
    sortRows: (choose: (now: RowSort | undefined) => RowSort | undefined) => {
      const now = addressNow();
      show(setAddressPart(now, 'sort', choose(now.sort)));
    },
    /** The filter and sort order, without the page. */
    wanted,
    /** True while the screen shows the previous page, or before the first page is read. */
    isLoading,
    heldRows,
    begin,
  };
}

/** Reads held rows that no longer match the filter. Reads these rows again after each change of the rows. */
function useUnreadRows(importId: string, { rows, unread, keep }: ReturnType<typeof useHeldRows>): void {
  const { data } = useRowsByNumber(importId, unread);
  const take = useEffectEvent((read: readonly Row[]) => {
    const before = new Map(rows.map((row) => [row.row, row]));
    for (const row of read) keep(row, row.class === 'valid' && before.get(row.row)?.class !== 'valid');
  });
  useEffect(() => {
    if (data !== undefined) take(data.rows);
  }, [data]);
}

const noRows: [] = [];

export const isNeedsYouFilter = (address: RowsAddress): boolean =>
  address.class === 'needs-you' && Object.keys(address).length === 1;

/** The address of the rows. Without filters in the URL, the opening filter applies, even if no row matches it now. */
function useRowsAddress(record: ShownImport, open: number, stage: string) {
  const [search, setSearch] = useSearchParams();
  const [opened, setOpened] = useState({ stage, opening: findOpeningFilter(record, open) });
  if (opened.stage !== stage) setOpened({ stage, opening: findOpeningFilter(record, open) });
  const { opening } = opened;
  return {
    address: readAddressOrOpening(opening, search),
    addressNow: () => readCurrentAddress(opening),
    show: (next: RowsAddress, replace = false) => {
      const isAll = !isFiltered(next) && isFiltered(opening) && (next.page ?? 1) === 1;
      const named: RowsAddress = isAll ? { ...next, all: true } : next;
      setSearch(formatRowsAddress(named), { preventScrollReset: true, replace });
    },
  };
}

/** `key` identifies the filter and the page. `source`: the rows of the last reply. */
type HeldRows = {
  key: string;
  source: readonly Row[];
  rows: readonly Row[];
  /** Rows with an unsaved edit. */
  edited: ReadonlySet<number>;
};

/**
 * Returns the rows to show after a reply. Edited and saved rows stay, because removing a row would move the next one
 * under the pointer. An edited row that no longer matches the filter is removed when its edit is discarded.
 */
export function holdRows(
  heldRows: HeldRows | null,
  key: string,
  source: readonly Row[],
  { saved, edited }: { saved: ReadonlySet<number>; edited: ReadonlySet<number> },
): HeldRows {
  if (heldRows?.key !== key || saved.size + edited.size === 0) return { key, source, rows: source, edited };
  const fresh = new Map(source.map((row) => [row.row, row]));
  const stays = ({ row }: Row) => saved.has(row) || edited.has(row);
  const rows = heldRows.rows.flatMap((row) => fresh.get(row.row) ?? (stays(row) ? row : []));
  return { key, source, rows, edited };
}

/** Returns the rows of the reply, and edited rows that no longer match the filter. */
export function releaseRows({ source, rows, edited, ...heldRows }: HeldRows): HeldRows {
  const fresh = new Set(source.map(({ row }) => row));
  const unsaved = rows.filter(({ row }) => edited.has(row) && !fresh.has(row));
  const isInFileOrder = source.every(({ row }, at) => row > (source[at - 1]?.row ?? 0));
  const all = [...source, ...unsaved];
  const next = isInFileOrder ? all.sort((a, b) => a.row - b.row) : all;
  return { ...heldRows, source, edited, rows: next };
}

/** Returns rows that a dialog's save has resolved: true if the row was fixed, false if it was left out. */
export function findResolvedRows(
  heldRows: HeldRows | null,
  key: string,
  source: readonly Row[],
): Map<number, boolean> {
  const before = new Map((heldRows?.key === key ? heldRows.rows : []).map((row) => [row.row, row]));
  return new Map(
    source.flatMap((now) => {
      const then = before.get(now.row);
      if (then === undefined || then.class === 'valid') return [];
      const isFixed = now.class === 'valid';
      return isFixed || (now.leftOut && !then.leftOut) ? [[now.row, isFixed]] : [];
    }),
  );
}

export function countStillMatching({ source, rows }: Pick<HeldRows, 'source' | 'rows'>): number {
  const fresh = new Set(source.map(({ row }) => row));
  return rows.filter(({ row }) => fresh.has(row)).length;
}

export function countLeftOut({ source, rows }: Pick<HeldRows, 'source' | 'rows'>): number {
  const fresh = new Set(source.map(({ row }) => row));
  return rows.filter(({ row, leftOut }) => leftOut && !fresh.has(row)).length;
}

/** Rows that were saved or are being changed in bulk. The value is true if the row was fixed. */
type Saved = { key: string; rows: ReadonlyMap<number, boolean> };
const none: Saved['rows'] = new Map();
const noNumbers: readonly number[] = [];

/** Returns the saved rows that are still fixed. A fix may have been undone since, so the class is compared, too. */
export function findFixedRows(rows: readonly Row[], saved: Saved['rows']): Set<number> {
  const isFixed = (row: Row) => saved.get(row.row) === true && row.class === 'valid';
  return new Set(rows.filter(isFixed).map(({ row }) => row));
}

/** Returns the saved rows that are missing in the reply, because they no longer match the filter. */
export function findSavedRowsNotInReply(
  { source, rows }: Pick<HeldRows, 'source' | 'rows'>,
  saved: Saved['rows'],
): number[] {
  const fresh = new Set(source.map(({ row }) => row));
  return rows.flatMap(({ row }) => (!fresh.has(row) && saved.has(row) ? [row] : []));
}

function useHeldRows(
  key: string,
  source: readonly Row[],
  isLoading: boolean,
  isEdited: (row: Row) => boolean,
) {
  const [heldRows, setHeldRows] = useState<HeldRows | null>(null);
  const [saved, setSaved] = useState<Saved>({ key, rows: none });
  // Rows are held while their page is shown. On another page, the rows or their order may differ.
  if (!isLoading && saved.key !== key) setSaved({ key, rows: none });
  const savedRows = saved.key === key ? saved.rows : none;
  const edited = new Set((heldRows?.rows ?? source).filter(isEdited).map(({ row }) => row));
  const isCurrent = heldRows?.key === key && heldRows.source === source && isSame(heldRows.edited, edited);
  if (!isLoading && !isCurrent) {
    const settled = findResolvedRows(heldRows, key, source);
    const rows: Saved['rows'] = settled.size === 0 ? savedRows : new Map([...savedRows, ...settled]);
    if (rows !== savedRows) setSaved({ key, rows });
    setHeldRows(holdRows(heldRows, key, source, { saved: new Set(rows.keys()), edited }));
  }
  return {
    rows: heldRows === null ? source : heldRows.rows,
    stillMatch: heldRows === null ? source.length : countStillMatching(heldRows),
    fixed: findFixedRows(heldRows?.rows ?? source, savedRows),
    leftOut: heldRows === null ? 0 : countLeftOut(heldRows),
    unread: heldRows === null ? noNumbers : findSavedRowsNotInReply(heldRows, savedRows),
    /** Holds all shown rows, because a bulk edit is changing many rows. */
    stay() {
      setSaved((now) => {
        if (now.key !== key) return now;
        const rows = new Map<number, boolean>((heldRows?.rows ?? []).map(({ row }) => [row, false]));
        return { key, rows: new Map([...rows, ...now.rows]) };
      });
    },
    /** `isFixed`: true if the row had a problem before and has none now. */
    keep(row: Row, isFixed: boolean) {
      setHeldRows(
        (now) => now && { ...now, rows: now.rows.map((other) => (other.row === row.row ? row : other)) },
      );
      setSaved((now) => {
        if (now.key !== key) return now;
        return { key, rows: new Map(now.rows).set(row.row, isFixed || now.rows.get(row.row) === true) };
      });
    },
    release() {
      setSaved({ key, rows: none });
      setHeldRows((now) => now && releaseRows(now));
    },
  };
}

const isSame = (a: ReadonlySet<number>, b: ReadonlySet<number>) =>
  a.size === b.size && [...a].every((row) => b.has(row));
