import type { CanonicalField } from '@draftshelf/domain/canonical-fields';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

export type FoundValue = { row: number; field: CanonicalField; value: string; source: string };

/** Stores values found for rows of a run. A value that is already there is kept. */
export async function insertFoundValues(
  db: Db,
  of: { importId: string; run: number },
  found: readonly FoundValue[],
): Promise<void> {
  if (found.length === 0) return;
  await sql`
    insert into found_values (import_id, run, row, field, value, source)
    select ${of.importId}, ${of.run}, row, field, value, source
    from json_to_recordset(${JSON.stringify(found)}) as found(row integer, field text, value text, source text)
    on conflict do nothing`.execute(db);
}

/** The rows of a range that lack something enrichment could find, with their original cells. */
export async function readEnrichableRows(
  db: Db,
  of: { importId: string; run: number; firstRow: number; rows: number },
): Promise<{ row: number; cells: string[]; vendor: string | null; image: string | null }[]> {
  return db
    .selectFrom('rows')
    .select(['row', 'cells', 'vendor', 'image'])
    .where('import_id', '=', of.importId)
    .where('run', '=', of.run)
    .where('row', '>=', of.firstRow)
    .where('row', '<', of.firstRow + of.rows)
    .where('enrichable', '=', true)
    .orderBy('row')
    .execute();
}
