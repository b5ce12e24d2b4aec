import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../schema.ts';

/** What finalize found across rows (duplicates), for some rows of the current run. */
export async function readFindings(
  db: Db,
  record: Pick<ImportRecord, 'id' | 'rows_run'>,
  rows: readonly number[],
): Promise<{ row: number; code: string; field: string; first_row: number }[]> {
  if (rows.length === 0) return [];
  return db
    .selectFrom('row_findings')
    .select(['row', 'code', 'field', 'first_row'])
    .where('import_id', '=', record.id)
    .where('run', '=', record.rows_run)
    .where('row', '=', sql<number>`any(${rows}::int[])`)
    .execute();
}
