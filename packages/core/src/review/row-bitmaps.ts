import { type RawBuilder, sql } from 'kysely';
import type { CommandTargetsTable } from '../connection/schema.ts';

/**
 * A block: rows whose numbers have the same whole part when divided by this. A bitmap has a bit for each of them; the
 * column's type is bit(1024).
 */
export const rowsPerBlock = 1024;

/** The block of a row number. */
export const blockOf = (row: number): number => Math.floor(row / rowsPerBlock);

/** SQL value: the block of a row number. */
export const sqlBlockOf = (row: RawBuilder<unknown>) => sql`${row} / ${sql.lit(rowsPerBlock)}`;

/** SQL aggregate: the bitmap of the row numbers of a block. */
export const sqlBitmapOf = (row: RawBuilder<unknown>) =>
  sql`bit_or(set_bit(0::bit(${sql.lit(rowsPerBlock)}), ${row} % ${sql.lit(rowsPerBlock)}, 1))`;

/** The row numbers of a bitmap, in order. */
export function rowsInBitmap({ block, rows }: Pick<CommandTargetsTable, 'block' | 'rows'>): number[] {
  const found: number[] = [];
  for (let at = rows.indexOf('1'); at !== -1; at = rows.indexOf('1', at + 1))
    found.push(block * rowsPerBlock + at);
  return found;
}
