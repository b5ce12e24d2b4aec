import { sql } from 'kysely';

/**
 * Whether the stored cells of a row are what a parse worker writes. A damaged row must not take its neighbours away.
 */
export function isReadable(cells: unknown): cells is string[] {
  return Array.isArray(cells) && cells.every((cell) => typeof cell === 'string');
}

/** Whether cells of a row contain NUL: functions that take JSON apart refuse them. */
export const hasNul = sql<boolean>`cells::text like '%\\\\u0000%'`;

/**
 * SQL: the cells of a row as JSON. Postgres extracts no cell from JSON that contains a NUL or half a surrogate pair
 * anywhere, so both are replaced. Looking for an escape in the text first is much cheaper.
 */
export const readableCells = sql`
  case when strpos(rows.cells::text, '\\u') = 0 then rows.cells
    else regexp_replace(rows.cells::text, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'g')::json end`;
