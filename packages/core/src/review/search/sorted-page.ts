import type { Db } from '../../connection/database.ts';
import type { ImportRecord, RowOrderRecord } from '../../connection/schema.ts';
import { currentRows } from '../../work/runs.ts';
import { readMatchingRows } from '../commands/command-targets.ts';
import { readRowsByNumber } from '../effective-rows.ts';
import { countShown, type RowFacet } from '../row-facets.ts';
import { readPlaces } from './row-orders.ts';
import { findMatching, type RowPage, type RowQuery } from './row-page.ts';

/** The rows of a filter are found within this time, or they are not sorted. */
const matchMsMax = 500;
const rowsPerSearch = 20_000;

/** Places that are read at a time where a filter leaves out rows: twice as many with each step, up to the maximum. */
const placesPerFirstStep = 4_096;
const placesPerStepMax = 131_072;

/** A page in an order, with the places of its first and last row from 1. */
export type SortedPage = RowPage & { first: number; last: number };

type SortedQuery = RowQuery & { order: RowOrderRecord; descending: boolean };

/**
 * A page of an import's rows in an order. `after` and `before` of the query are places in the order, from 1. Null: the
 * filter matches so many rows that finding them takes too long.
 */
export async function readSortedPage(
  db: Db,
  record: ImportRecord,
  facets: readonly RowFacet[],
  query: SortedQuery,
): Promise<SortedPage | null> {
  const matching = await findAll(db, record, query);
  if (matching === null) return null;
  const { limit, before, after = 0 } = query;
  const sought = { ...query, isMatching: matching?.isMatching, limit };
  const backward =
    before === undefined ? undefined : await collect(db, { ...sought, from: before - 1, back: true });
  // A backward page that reaches the first row is read forward instead, so that it is as full as any other.
  const isBackward = backward?.more ?? false;
  const from = before === undefined ? after : 0;
  const { found, more } =
    isBackward && backward ? backward : await collect(db, { ...sought, from, back: false });
  const page = isBackward ? found.toReversed() : found;
  const numbers = page.map(({ row }) => row);
  const rows = new Map(
    (await readRowsByNumber(db, currentRows(record), numbers)).map((row) => [row.row, row]),
  );
  const totalRows = countShown(record, facets);
  return {
    rows: numbers.flatMap((row) => rows.get(row) ?? []),
    earlier: isBackward || from > 0,
    later: isBackward || more,
    searchedTo: null,
    matching: matching?.count ?? totalRows,
    totalRows,
    first: page[0]?.place ?? 1,
    last: page.at(-1)?.place ?? 0,
  };
}

type Matching = { count: number; isMatching: (row: number) => boolean };

/** All rows that match the filters; undefined: there are no filters; null: finding them takes too long. */
async function findAll(
  db: Db,
  record: ImportRecord,
  { class: ofClass, issue, outcome, change, value, q }: SortedQuery,
): Promise<Matching | null | undefined> {
  const filter = { class: ofClass, issue, outcome, change, value, q };
  if (Object.values(filter).every((given) => given === undefined)) return undefined;
  if (value === undefined) {
    const rows = await readMatchingRows(db, record, filter, true);
    const matches = new Uint8Array((rows.at(-1) ?? 0) + 1);
    for (const row of rows) matches[row] = 1;
    return { count: rows.length, isMatching: (row) => matches[row] === 1 };
  }
  const found = new Set<number>();
  const deadline = performance.now() + matchMsMax;
  for (let after: number | null = 0; after !== null; ) {
    const msMax = deadline - performance.now();
    if (msMax <= 0) return null;
    const step: Awaited<ReturnType<typeof findMatching>> = await findMatching(db, record, filter, {
      ...{ after, limit: rowsPerSearch, msMax },
    });
    for (const row of step.rows) found.add(row);
    after = step.next;
  }
  return { count: found.size, isMatching: (row) => found.has(row) };
}

type Sought = Pick<SortedQuery, 'order' | 'descending' | 'limit'> & {
  /** Undefined: all rows. */
  isMatching: Matching['isMatching'] | undefined;
  /** The place from which on, or before which, rows are taken; from 0. */
  from: number;
  back: boolean;
};

/** The next rows of an order with their places from 1, in the order of the search, and whether there are more. */
async function collect(db: Db, { order, descending, isMatching = () => true, from, back, limit }: Sought) {
  const found: { row: number; place: number }[] = [];
  let step = Math.max(limit + 1, placesPerFirstStep);
  for (let at = from; found.length <= limit; step = Math.min(2 * step, placesPerStepMax)) {
    const [low, high] = back ? [Math.max(0, at - step), at] : [at, Math.min(order.rows, at + step)];
    if (low >= high) break;
    const rows = await readPlaces(db, order, { from: low, to: high, descending });
    const placed = rows
      .map((row, nth) => ({ row, place: low + nth + 1 }))
      .filter(({ row }) => isMatching(row));
    found.push(...(back ? placed.reverse() : placed));
    at = back ? low : high;
  }
  return { found: found.slice(0, limit), more: found.length > limit };
}
