import { rowFilterNames } from '@draftshelf/domain/review/row-filters';
import { type RowSort, splitRowSort } from '@draftshelf/domain/review/row-sort';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryFreshRows } from '../../connection/planner.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { matchesFilter, type RowFilter } from './row-filter.ts';
import { orderRows, type ShownRun, shownRows, toShownRun } from './row-sql.ts';

type SortedFilter = RowFilter & { sort: RowSort };

/** Maximum number of rows of a cached order. A row takes 4 bytes, and 16 bytes while the order is read. */
const orderedRowsMax = 1_000_000;
/** Maximum number of rows of all cached orders together. */
const keptRowsMax = 4 * orderedRowsMax;

/** Cached orders by `keyOf`, least recently used first. Each api process has its own cache. */
const orders = new Map<string, Int32Array>();

/** Orders by outcome are not cached, because storing an outcome does not change the import's version. */
export const canCacheOrder = ({ outcome }: SortedFilter, matching: number): boolean =>
  outcome === undefined && matching <= orderedRowsMax;

/** The version is part of the key: all changes of rows, except outcomes, change it in the same transaction. */
const keyOf = ({ id, version }: ImportRecord, query: SortedFilter): string =>
  [id, version, query.sort, ...rowFilterNames.map((name) => encodeURIComponent(query[name] ?? ''))].join(' ');

/** Returns the cached order of an import's matching rows, as row numbers. Undefined if the order is not cached. */
export function findCachedOrder(record: ImportRecord, query: SortedFilter): Int32Array | undefined {
  const key = keyOf(record, query);
  const order = orders.get(key);
  if (order) {
    orders.delete(key);
    orders.set(key, order);
  }
  return order;
}

/** Memory that each process may use for a sort. Three processes can sort a million rows with it. */
const sortMemory = '96MB';
/** Time limit of a sort. On a slow machine, sorting a million rows by two fields took over 5 s. */
const sortMsMax = 10_000;

/** Reads and caches the order of an import's matching rows, so that its next page needs no sort. */
export async function cacheRowOrder(db: Db, record: ImportRecord, query: SortedFilter): Promise<Int32Array> {
  const timeout = String(sortMsMax);
  await sql`
    select set_config('work_mem', ${sortMemory}, true), set_config('statement_timeout', ${timeout}, true)`.execute(
    db,
  );
  const [found] = await queryFreshRows<{ numbers: Buffer | null }>(db)`
    select string_agg(int4send(row), '') as numbers
    from (${sortedRows(toShownRun(record), query, false)}) ordered`;
  const bytes = found?.numbers ?? Buffer.alloc(0);
  const order = new Int32Array(bytes.length / 4).map((_, at) => bytes.readInt32BE(at * 4));
  orders.set(keyOf(record, query), order);
  let kept = orders.values().reduce((sum, { length }) => sum + length, 0);
  for (const [key, { length }] of orders) {
    if (kept <= keptRowsMax) break;
    orders.delete(key);
    kept -= length;
  }
  return order;
}

/** Returns an SQL query for the numbers of the matching rows, in the order of `query.sort`. */
export const sortedRows = (of: ShownRun, query: SortedFilter, isReversed: boolean) => sql`
  select rows.row from ${shownRows(
    of,
    splitRowSort(query.sort).map(({ field }) => field),
  )}
  where ${matchesFilter(of, query)} order by ${orderRows(of, query.sort, isReversed)}`;
