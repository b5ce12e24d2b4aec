import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { RunOfRows } from '../work/runs.ts';

/** Findings across rows (duplicates), for some rows of a run. */
export async function readFindings(
  db: Db,
  of: RunOfRows,
  rows: readonly number[],
): Promise<{ row: number; code: string; field: string; first_row: number }[]> {
  if (rows.length === 0) return [];
  return db
    .selectFrom('row_findings')
    .select(['row', 'code', 'field', 'first_row'])
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .where('row', '=', sql<number>`any(${rows}::int[])`)
    .execute();
}
