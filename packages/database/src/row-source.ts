import { type SqlBool, sql } from 'kysely';

/** Where a walk over row numbers stands and which way it goes; `from` itself is not part of it. */
export type Way = { from: number; back: boolean };

/** So far a walk has come: `rows` in its order; up to `reached` there are no others; at the end there are no more. */
export type Step = { rows: number[]; reached: number; ended: boolean };

/** The rows that meet one condition, by row number. */
export type RowSource = {
  /** How many there are; null where that is not counted. */
  count: number | null;
  /** At most `limit` of them from where the way stands. */
  walk(way: Way, limit: number): Promise<Step>;
  /** Which of these rows are among them. */
  among(rows: readonly number[]): Promise<Set<number>>;
};

/** The step that a query of at most `limit` rows has made. */
export function stepOf(rows: number[], limit: number, way: Way): Step {
  return { rows, reached: rows.at(-1) ?? way.from, ended: rows.length < limit };
}

/** SQL: the rows beyond where the way stands. */
export function beyond(way: Way) {
  return way.back ? sql<SqlBool>`row < ${way.from}` : sql<SqlBool>`row > ${way.from}`;
}

/** SQL: in the order of the way. */
export function inOrder(way: Way) {
  return way.back ? sql`order by row desc` : sql`order by row`;
}
