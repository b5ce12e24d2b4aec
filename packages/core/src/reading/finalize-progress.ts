import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow } from '../connection/query-rows.ts';
import type { ChunkRecord, FinalizeProgress } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { belongsToRun, readRun } from '../work/runs.ts';

export async function readProgress(db: Db, chunk: ChunkRecord): Promise<FinalizeProgress | null> {
  return (await readRun(db, chunk, ['finalize'])).finalize;
}

export async function storeProgress(db: Db, chunk: ChunkRecord, progress: FinalizeProgress): Promise<void> {
  await db
    .updateTable('runs')
    .set({ finalize: storableJson(progress) })
    .where(belongsToRun(chunk))
    .execute();
}

/** Finds the supplier list to which an import no longer belongs, unless the list's items were already removed. */
export async function findFormerList(db: Db, importId: string): Promise<FinalizeProgress['left']> {
  const found = await findRow<{ left: NonNullable<FinalizeProgress['left']> }>(db)`
    select finalize -> 'left' as left from runs
    where import_id = ${importId} and stage = 'parse' and finalize -> 'left' is not null
    order by run limit 1`;
  return found?.left;
}

/** Removes the note of the list to which an import no longer belongs, after the items of that list were removed. */
export async function clearFormerList(
  db: Db,
  importId: string,
  { supplier, number }: NonNullable<FinalizeProgress['left']>,
): Promise<void> {
  await sql`
    update runs set finalize = (finalize::jsonb - 'left')::json
    where import_id = ${importId} and stage = 'parse' and finalize -> 'left' ->> 'supplier' = ${String(supplier)}
      and finalize -> 'left' ->> 'number' = ${String(number)}`.execute(db);
}
