import { type SqlBool, sql } from 'kysely';

/** Where a walk over row numbers stands and which way it goes; `from` itself is not part of it. */
export type Cursor = { from: number; back: boolean };

/** So far a walk has come: `rows` in its order; up to `reached` there are no others; at the end there are no more. */
export type Step = { rows: number[]; reached: number; ended: boolean };

/** The rows that meet one condition, by row number. */
export type RowSource = {
  /** How many there are, or about how many by what stands near the way. */
  count(way: Cursor): Promise<number>;
  /** At most `limit` of them from where the way stands. */
  walk(way: Cursor, limit: number): Promise<Step>;
  /** Which of these rows are among them. */
  among(rows: readonly number[]): Promise<Set<number>>;
};

/** The step that a query of at most `limit` rows has made. */
export function stepOf(rows: number[], limit: number, way: Cursor): Step {
  return { rows, reached: rows.at(-1) ?? way.from, ended: rows.length < limit };
}

/** The largest number that Postgres compares a row's with. */
const rowNumberMax = 2 ** 31 - 1;

/** The next so many row numbers of a way, as SQL; `end` is the last of them, and `ended` says that no row is beyond it. */
export function windowOf(way: Cursor, rows: number, lastRow: number) {
  if (!way.back) {
    const end = Math.min(way.from + rows, rowNumberMax);
    return { end, ended: end >= lastRow, within: sql<SqlBool>`row > ${way.from} and row <= ${end}` };
  }
  const from = Math.min(way.from, lastRow + 1);
  const end = Math.max(0, from - rows);
  return { end, ended: end <= 1, within: sql<SqlBool>`row < ${from} and row >= ${end}` };
}

/** SQL: the rows beyond where the way stands. */
export function afterCursor(way: Cursor) {
  return way.back ? sql<SqlBool>`row < ${way.from}` : sql<SqlBool>`row > ${way.from}`;
}

/** SQL: in the order of the way. */
export function inCursorOrder(way: Cursor) {
  return way.back ? sql`order by row desc` : sql`order by row`;
}
