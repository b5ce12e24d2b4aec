import { sql } from 'kysely';

/** Whether stored cells are a parse worker's. A damaged row must not hide its neighbors. */
export const isReadable = (cells: unknown): cells is string[] =>
  Array.isArray(cells) && cells.every((cell) => typeof cell === 'string');

/** Whether cells contain NUL: functions that take JSON apart refuse them. */
export const hasNul = sql<boolean>`cells::text like '%\\\\u0000%'`;
