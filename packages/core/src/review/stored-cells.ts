import { sql } from 'kysely';

/**
 * Whether the stored cells of a row are what a parse worker writes. A damaged row must not take its neighbours away.
 */
export function isReadable(cells: unknown): cells is string[] {
  return Array.isArray(cells) && cells.every((cell) => typeof cell === 'string');
}

/** Whether cells of a row contain NUL: functions that take JSON apart refuse them. */
export const hasNul = sql<boolean>`cells::text like '%\\\\u0000%'`;
