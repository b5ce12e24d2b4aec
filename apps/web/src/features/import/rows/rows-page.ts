import type { Row } from '@draftshelf/contract/review/rows';
import type { RowSort } from '@draftshelf/domain/review/row-sort';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { pageCount } from '../../../ui/table/page-numbers.ts';
import type { ShownImport } from '../imports-api.ts';
import {
  hasSameFilter,
  isFiltered,
  type RowsAddress,
  rowsAddressNow,
  rowsAddressOf,
  rowsAddressOr,
  withSort,
} from '../rows-address.ts';
import { type RowsWanted, rowsPerPage, useRowPage, useRowsByNumber } from '../rows-api.ts';
import { openingFilter } from '../status/opening-rows.ts';
import { useHeldRows } from './held-rows.ts';
import type { RowDrafts } from './row-edit.ts';

export type RowsPage = ReturnType<typeof useRowsPage>;

/** The page of rows that the URL names, and how to show another one. */
export function useRowsPage(record: ShownImport, open: number, drafts: RowDrafts) {
  const [lastTotal, setLastTotal] = useState(record.totalRows);
  const stage = JSON.stringify([record.startedAt, record.completedAt]);
  const { address, addressNow, show } = useRowsAddress(record, open, stage);
  const hasFilter = isFiltered(address);
  const pages = pageCount(lastTotal, rowsPerPage);
  const pageNumber = Math.min(address.page ?? 1, pages);
  const wanted = wantedOf(address);
  const selection = {
    ...wanted,
    ...(hasFilter ? cursorOf(address) : { after: (pageNumber - 1) * rowsPerPage }),
  };
  const query = useRowPage(record.id, selection);
  const totalRows = query.data?.totalRows ?? lastTotal;
  if (totalRows !== lastTotal) setLastTotal(totalRows);
  const isLoading = query.isPlaceholderData || query.data === undefined;
  // A new stage shows new rows.
  const key = JSON.stringify([selection, stage]);
  const heldRows = useHeldRows(key, query.data?.rows ?? noRows, isLoading, (row) => drafts.of(row) !== null);
  useUnreadRows(record.id, heldRows);
  const begin = useRef<HTMLDivElement>(null);
  /** Shows another page; false if another filter was selected meanwhile, whose pages are different ones. */
  const goTo = (next: RowsAddress): boolean => {
    if (!hasSameFilter(addressNow(), address)) return false;
    show(next);
    // Start a new page at its top.
    if ((begin.current?.getBoundingClientRect().top ?? 0) < 0) begin.current?.scrollIntoView();
    return true;
  };
  return {
    ...{ address, addressNow, show, goTo, hasFilter },
    /** The stage of the import: another one has other rows. */
    stage,
    ...{ pageNumber, pages, totalRows, query },
    /** Sorts the rows by what is chosen. */
    sortRows: (choose: (now: RowSort | undefined) => RowSort | undefined) => {
      const now = addressNow();
      show(withSort(now, choose(now.sort)));
    },
    /** What selects the rows without the page. */
    wanted,
    /** The screen still shows the previous page, or no page has been read yet. */
    isLoading,
    heldRows,
    /** Where the rows begin on the screen. */
    begin,
  };
}

/** Reads the rows that stay although they have left the filter, again after each change. */
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

const cursorOf = ({ after, before }: RowsAddress) => ({
  ...(after === undefined ? {} : { after }),
  ...(before === undefined ? {} : { before }),
});

/** What selects the rows of an address, without the page. */
const wantedOf = ({ class: ofClass, issue, outcome, change, value, q, sort }: RowsAddress): RowsWanted => ({
  ...{ class: ofClass, issue, outcome, change, value, q },
  ...(sort === undefined ? {} : { sort }),
});

/** The first page of the rows that need the operator, without another filter. */
export function isFirstToFix(address: RowsAddress): boolean {
  return address.class === 'needs-you' && Object.keys(address).length === 1;
}

/**
 * Filter and page in the URL. Where the URL names no rows, the filter that the import opened with: it stays while the
 * operator fixes its last row. `open`: the products that need the operator. With `replace`, the change adds no entry to
 * the browser's history.
 */
function useRowsAddress(record: ShownImport, open: number, stage: string) {
  const [search, setSearch] = useSearchParams();
  const [opened, setOpened] = useState({ stage, opening: openingFilter(record, open) });
  if (opened.stage !== stage) setOpened({ stage, opening: openingFilter(record, open) });
  const { opening } = opened;
  return {
    address: rowsAddressOr(opening, search),
    addressNow: () => rowsAddressNow(opening),
    show: (next: RowsAddress, replace = false) => {
      const isAll = !isFiltered(next) && isFiltered(opening) && (next.page ?? 1) === 1;
      const named: RowsAddress = isAll ? { ...next, all: true } : next;
      setSearch(rowsAddressOf(named), { preventScrollReset: true, replace });
    },
  };
}
