import { sql } from 'kysely';

/** Returns whether stored cells are an array of texts, so that a damaged row does not make its neighbors unreadable. */
export const isTextArray = (cells: unknown): cells is string[] =>
  Array.isArray(cells) && cells.every((cell) => typeof cell === 'string');

/** SQL condition: the cells contain a NUL character, which the JSON functions of Postgres refuse. */
export const hasNul = sql<boolean>`cells::text like '%\\\\u0000%'`;
