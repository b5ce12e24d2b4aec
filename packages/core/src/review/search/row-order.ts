import { rowFilterNames } from '@draftshelf/domain/review/row-filters';
import { type RowSort, sortsOf } from '@draftshelf/domain/review/row-sort';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryFreshRows } from '../../connection/planner.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { matchingRows, type RowFilter } from './row-filter.ts';
import { orderBy, type ShownRun, shownRows, toShownRun } from './row-sql.ts';

type SortedFilter = RowFilter & { sort: RowSort };

/** The most rows of an order that is read and kept. A row takes 4 bytes, and 16 bytes while the order is read. */
const orderedRowsMax = 1_000_000;
/** Limit for the rows of all kept orders. */
const keptRowsMax = 4 * orderedRowsMax;

/** Kept orders by `keyOf`, least recently used first. Each api process keeps its own. */
const orders = new Map<string, Int32Array>();

/** An order by outcome is not kept, because outcomes are stored without a new version of the import. */
export const canKeepOrder = ({ outcome }: SortedFilter, matching: number): boolean =>
  outcome === undefined && matching <= orderedRowsMax;

/** All changes of rows, except outcomes, change the import's version in the same transaction. */
const keyOf = ({ id, version }: ImportRecord, query: SortedFilter): string =>
  [id, version, query.sort, ...rowFilterNames.map((name) => encodeURIComponent(query[name] ?? ''))].join(' ');

/** Returns the kept order of an import's matching rows as row numbers, if it is kept. */
export function findOrder(record: ImportRecord, query: SortedFilter): Int32Array | undefined {
  const key = keyOf(record, query);
  const order = orders.get(key);
  if (order) {
    orders.delete(key);
    orders.set(key, order);
  }
  return order;
}

/** Memory of each process for a sort. Three processes can sort a million rows in this memory. */
const sortMemory = '96MB';
/** Time limit of a sort. A million rows by two fields took over 5 s on a slow machine. */
const sortMsMax = 10_000;

/** Reads and keeps the order of an import's matching rows, so that its next page needs no sort. */
export async function readOrder(db: Db, record: ImportRecord, query: SortedFilter): Promise<Int32Array> {
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

/** Returns an SQL query for the numbers of the matching rows, in order. */
export const sortedRows = (of: ShownRun, query: SortedFilter, isReversed: boolean) => sql`
  select rows.row from ${shownRows(
    of,
    sortsOf(query.sort).map(({ field }) => field),
  )}
  where ${matchingRows(of, query)} order by ${orderBy(of, query.sort, isReversed)}`;
