import type { RowSort } from '@draftshelf/domain/review/row-sort';
import { bitOfChange, type RowChange } from '@draftshelf/domain/suppliers/list';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryFreshRows, runWithoutNestedLoops } from '../../connection/planner.ts';
import { queryValue, queryValues } from '../../connection/query-rows.ts';
import type { ImportRecord, RowFacet } from '../../connection/schema.ts';
import { currentRows, type RunOfRows } from '../../work/runs.ts';
import { type EffectiveRow, readRowsByNumber } from '../effective-rows.ts';
import { countShownRows } from '../row-facets.ts';
import { countMatchingRows, hasStoredCount, matchesFilter, type RowFilter } from './row-filter.ts';
import { cacheRowOrder, canCacheOrder, findCachedOrder, sortedRows } from './row-order.ts';
import { type ShownRun, toShownRun } from './row-sql.ts';

export type RowQuery = RowFilter & {
  /** The page begins after this row number or, with `sort`, after this position. */
  after?: number | undefined;
  /** The page ends before this row number or, with `sort`, before this position. */
  before?: number | undefined;
  limit: number;
  /** Undefined to sort by the order of the file. */
  sort?: RowSort | undefined;
};

export type RowPage = {
  rows: EffectiveRow[];
  /** True if matching rows precede the page. With a search, an outcome or a value, also true if such rows may exist. */
  earlier: boolean;
  later: boolean;
  /** Null in file order if counting is slow: with a search, outcome or value, or with a change and another filter. */
  matching: number | null;
  totalRows: number;
  /** The positions, from 1, of the first and last row of a sorted page. Null in the order of the file. */
  sorted: { first: number; last: number } | null;
};

export async function readFilteredPage(
  db: Db,
  record: ImportRecord,
  facets: readonly RowFacet[],
  query: RowQuery,
): Promise<RowPage> {
  const of = currentRows(record);
  const totalRows = countShownRows(record, facets);
  const ofChange = query.change === undefined ? undefined : await countRowsWithChange(db, of, query.change);
  const matching = ofChange === 0 ? 0 : countMatchingRows(facets, query);
  const isSearched = !hasStoredCount({ ...query, change: undefined });
  const isOneFilter = query.class === undefined && query.issue === undefined;
  const shown = hasStoredCount(query) ? matching : (isOneFilter && !isSearched && ofChange) || null;
  if (matching === 0 || (query.outcome !== undefined && record[query.outcome] === 0)) {
    const none = isSearched ? null : 0;
    return { rows: [], earlier: false, later: false, matching: none, totalRows, sorted: null };
  }
  const { sort } = query;
  const { numbers, ...others } =
    sort === undefined
      ? await inFileOrder(db, record, query)
      : await inOrder(db, record, { ...query, sort }, shown);
  const rows = new Map((await readRowsByNumber(db, of, numbers)).map((row) => [row.row, row]));
  return { matching: shown, ...others, rows: numbers.flatMap((row) => rows.get(row) ?? []), totalRows };
}

async function inFileOrder(db: Db, record: ImportRecord, query: RowQuery) {
  const { limit, before, after = 0 } = query;
  const backward =
    before === undefined ? [] : await findRows(db, record, query, sql`row < ${before}`, -limit - 1);
  // A backward page that reaches the first row is read forward instead, so that the page is full.
  const isBackward = backward.length > limit;
  const from = before === undefined ? after : 0;
  const found = isBackward ? backward : await findRows(db, record, query, sql`row > ${from}`, limit + 1);
  const anyBefore = async () => (await findRows(db, record, query, sql`row <= ${from}`, -1)).length > 0;
  return {
    numbers: found.slice(0, limit).sort((a, b) => a - b),
    earlier: isBackward || (from > 0 && (!hasStoredCount(query) || (await anyBefore()))),
    later: isBackward || found.length > limit,
    sorted: null,
  };
}

/** Finds the first rows that match a filter and a condition. A negative limit finds the last rows, in reverse order. */
async function findRows(
  db: Db,
  record: ImportRecord,
  filter: RowFilter,
  which: RawBuilder<unknown>,
  limit: number,
): Promise<number[]> {
  const find = () =>
    queryValues<number>(db)`
      select row from rows where ${matchesFilter(toShownRun(record), filter)} and ${which}
      order by row ${limit < 0 ? sql`desc` : sql`asc`} limit ${Math.abs(limit)}`;
  // If few rows match `filter.change`, a nested loop over 250,000 rows takes half a second.
  return filter.change === undefined ? find() : runWithoutNestedLoops(db, find);
}

async function inOrder(
  db: Db,
  record: ImportRecord,
  query: RowQuery & { sort: RowSort },
  known: number | null,
) {
  const { limit, before, after = 0 } = query;
  const of = toShownRun(record);
  const kept = findCachedOrder(record, query);
  const matching = kept?.length ?? known ?? (await countRows(db, of, query));
  const from = before === undefined ? after : Math.max(0, Math.min(before - 1, matching) - limit);
  const count = Math.max(0, Math.min(limit, matching - from));
  const isDeep = Math.min(from, matching - from - count) > deepAfter && canCacheOrder(query, matching);
  const order = kept ?? (isDeep ? await cacheRowOrder(db, record, query) : undefined);
  const numbers = order
    ? [...order.subarray(from, from + count)]
    : await readFromEnd(db, of, query, { from, count, matching });
  return {
    numbers,
    earlier: from > 0,
    later: from + count < matching,
    matching,
    sorted: { first: from + 1, last: from + numbers.length },
  };
}

/** If a page is at least this far from both ends, the whole order is read and cached, and the page is taken from it. */
const deepAfter = 2_000;

/** Reads pages in the second half from the end, because Postgres keeps all rows before a page in memory. */
async function readFromEnd(
  db: Db,
  of: ShownRun,
  query: RowQuery & { sort: RowSort },
  { from, count, matching }: { from: number; count: number; matching: number },
): Promise<number[]> {
  const isReversed = from > matching / 2;
  const offset = isReversed ? Math.max(0, matching - from - count) : from;
  const rows = await queryFreshRows<{ row: number }>(db)`
    ${sortedRows(of, query, isReversed)} limit ${count} offset ${offset}`;
  const numbers = rows.map(({ row }) => row);
  return isReversed ? numbers.reverse() : numbers;
}

const countRows = (db: Db, of: ShownRun, filter: RowFilter) =>
  queryValue<number>(db)`
    select count(*)::int as matching from rows where ${matchesFilter(of, filter)}`;

export const countRowsWithChange = (db: Db, { import_id, run }: RunOfRows, change: RowChange) =>
  queryValue<number>(db)`
    select count(*)::int as rows from row_items
    where import_id = ${import_id} and run = ${run}
      and change & ${sql.lit(bitOfChange(change))} <> 0`;

/** `next`: the row to continue after, or null if no row is left. */
export async function findMatchingRows(
  db: Db,
  record: ImportRecord,
  filter: RowFilter,
  { after, limit }: { after: number; limit: number },
): Promise<{ rows: number[]; next: number | null }> {
  const rows = await findRows(db, record, filter, sql`row > ${after}`, limit);
  return { rows, next: rows.length < limit ? null : (rows.at(-1) ?? null) };
}

export async function filterRows(
  db: Db,
  record: ImportRecord,
  filter: RowFilter,
  numbers: readonly number[],
) {
  return new Set(await findRows(db, record, filter, sql`row = any(${numbers}::int[])`, numbers.length));
}
