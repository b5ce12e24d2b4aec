import type { CanonicalField } from '@draftshelf/domain/canonical-fields';
import { sql } from 'kysely';
import type { RunOfRows } from '../chunks/runs.ts';
import type { Db } from '../connection/database.ts';
import type { EnrichRange } from '../parse/finalize-progress.ts';

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

const enrichRowsPerChunk = 5_000;

/** Row ranges of a run, with the number of rows in each that lack something enrichment could find. */
export async function readEnrichRanges(db: Db, { import_id, run }: RunOfRows): Promise<EnrichRange[]> {
  const { rows } = await sql<EnrichRange>`
    select min(row) as first_row, max(row) - min(row) + 1 as rows, count(*)::int as enrichable
    from rows where import_id = ${import_id} and run = ${run} and enrichable
    group by row / ${sql.lit(enrichRowsPerChunk)} order by 1`.execute(db);
  return rows;
}
