import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { openingFilter } from '../cells/opening-rows.ts';
import type { ShownImport } from '../imports-api.ts';
import {
  isFiltered,
  type RowsAddress,
  rowsAddressNow,
  rowsAddressOf,
  rowsAddressOr,
} from '../rows-address.ts';

/** The first page of the rows that need the operator, without another filter. */
export function isFirstToFix(address: RowsAddress): boolean {
  return address.class === 'needs-you' && Object.keys(address).length === 1;
}

/**
 * Filter and page in the URL. Where it names no rows, those that the import opened with: they stay while the operator
 * fixes the last of them. `open`: the products that need the operator. With `replace`, the change adds no entry to the
 * browser's history.
 */
export function useRowsAddress(record: ShownImport, open: number, stage: string) {
  const [search, setSearch] = useSearchParams();
  const [opened, setOpened] = useState({ stage, opening: openingFilter(record, open) });
  if (opened.stage !== stage) setOpened({ stage, opening: openingFilter(record, open) });
  const { opening } = opened;
  return {
    address: rowsAddressOr(opening, search),
    addressNow: () => rowsAddressNow(opening),
    show: (next: RowsAddress, replace = false) => {
      const isAll = !isFiltered(next) && isFiltered(opening) && (next.page ?? 1) === 1;
      const shown: RowsAddress = isAll ? { ...next, all: true } : next;
      setSearch(rowsAddressOf(shown), { preventScrollReset: true, replace });
    },
  };
}
