import { sql } from 'kysely';

/** Returns whether stored cells are an array of texts. A damaged row must not make its neighbors unreadable. */
export const isReadable = (cells: unknown): cells is string[] =>
  Array.isArray(cells) && cells.every((cell) => typeof cell === 'string');

/** SQL condition: the cells contain NUL, which the JSON functions of Postgres refuse. */
export const hasNul = sql<boolean>`cells::text like '%\\\\u0000%'`;
