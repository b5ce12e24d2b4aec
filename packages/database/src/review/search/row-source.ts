import { type SqlBool, sql } from 'kysely';

/** A position in a scan over row numbers, and its direction. The row `from` itself is not included. */
export type Cursor = { from: number; back: boolean };

/**
 * One step of a scan: `rows` in its order. Up to `scannedTo` there are no others; if it has ended, there are no more.
 */
export type Step = { rows: number[]; scannedTo: number; ended: boolean };

/** The rows that meet one condition, by row number. */
export type RowSource = {
  /** Number of rows, or an estimate from the rows next to the cursor. */
  count(cursor: Cursor): Promise<number>;
  /** At most `limit` of them after the cursor. */
  scan(cursor: Cursor, limit: number): Promise<Step>;
  /** The rows among these that meet the condition. */
  intersect(rows: readonly number[]): Promise<Set<number>>;
};

/** The step made by a query of at most `limit` rows. */
export function stepOf(rows: number[], limit: number, cursor: Cursor): Step {
  return { rows, scannedTo: rows.at(-1) ?? cursor.from, ended: rows.length < limit };
}

/** The rows of either source; `count`: how many there are. */
export function unionOf(count: number, one: RowSource, other: RowSource): RowSource {
  return {
    count: async () => count,
    async scan(cursor, limit) {
      const steps = [await one.scan(cursor, limit), await other.scan(cursor, limit)];
      const inOrder = (a: number, b: number) => (cursor.back ? b - a : a - b);
      const unfinished = steps.filter(({ ended }) => !ended).map(({ scannedTo }) => scannedTo);
      const scannedTo = unfinished.sort(inOrder)[0];
      const found = [...new Set(steps.flatMap(({ rows }) => rows))].sort(inOrder);
      const rows = found.filter((row) => scannedTo === undefined || inOrder(row, scannedTo) <= 0);
      if (rows.length > limit) return stepOf(rows.slice(0, limit), limit, cursor);
      return { rows, scannedTo: scannedTo ?? cursor.from, ended: scannedTo === undefined };
    },
    async intersect(rows) {
      return (await one.intersect(rows)).union(await other.intersect(rows));
    },
  };
}

/** Rows that are compared at once: with fewer, a long stretch of rows in both sources takes too many statements. */
const rowsPerComparison = 1_000;

/** The rows of a source that are not in the other one. It has the count of the source. */
export function without(source: RowSource, other: RowSource): RowSource {
  const kept = async (rows: readonly number[]) => new Set(rows).difference(await other.intersect(rows));
  return {
    count: (cursor) => source.count(cursor),
    async scan(cursor, limit) {
      const step = await source.scan(cursor, Math.max(limit, rowsPerComparison));
      const rows = [...(await kept(step.rows))];
      return rows.length > limit ? stepOf(rows.slice(0, limit), limit, cursor) : { ...step, rows };
    },
    intersect: async (rows) => kept([...(await source.intersect(rows))]),
  };
}

/** The largest number that Postgres compares with a row number. */
const rowNumberMax = 2 ** 31 - 1;

/**
 * The next `rows` row numbers of a scan, `first` to `last`, and as SQL. `end` is the last of them in the order of the
 * scan; `ended` means that no row is beyond it.
 */
export function windowOf(cursor: Cursor, rows: number, lastRow: number) {
  const window = (first: number, last: number) => {
    return { first, last, within: sql<SqlBool>`row >= ${first} and row <= ${last}` };
  };
  if (!cursor.back) {
    const first = Math.min(cursor.from + 1, rowNumberMax);
    const end = Math.min(cursor.from + rows, rowNumberMax);
    return { end, ended: end >= lastRow, ...window(first, end) };
  }
  const from = Math.min(cursor.from, lastRow + 1);
  const end = Math.max(0, from - rows);
  return { end, ended: end <= 1, ...window(end, from - 1) };
}

/** SQL: the rows after the cursor. */
export function afterCursor(cursor: Cursor) {
  return cursor.back ? sql<SqlBool>`row < ${cursor.from}` : sql<SqlBool>`row > ${cursor.from}`;
}

/** SQL: in the order of the scan. */
export function inCursorOrder(cursor: Cursor) {
  return cursor.back ? sql`order by row desc` : sql`order by row`;
}
