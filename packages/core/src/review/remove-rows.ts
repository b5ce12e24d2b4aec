import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord, Schema } from '../connection/schema.ts';
import { readsOtherTable } from '../reading/carry-over.ts';
import { removedRowsMax } from '../reading/kept-places.ts';
import { lockHeld, markDone } from '../work/claim-chunk.ts';
import type { RunOfRows } from '../work/runs.ts';
import { enqueueTask, storeTaskProgress, type TaskProgress } from '../work/tasks.ts';

/** In the order of removal. */
const tablesOfRows = [
  { table: 'row_matches', run: 'run' },
  { table: 'row_joins', run: 'run' },
  { table: 'found_values', run: 'run' },
  { table: 'picture_matches', run: 'run' },
  { table: 'product_lacks', run: 'run' },
  { table: 'kept_places', run: 'run' },
  { table: 'outcomes', run: 'rows_run' },
  { table: 'rows', run: 'run' },
  { table: 'row_items', run: 'run' },
] as const;

/**
 * Enqueues the removal of rows that are not shown: of replaced runs, or of later ones that failed or were cancelled.
 */
export async function enqueueRowRemoval(db: Db, shown: RunOfRows, which: 'earlier' | 'later'): Promise<void> {
  const runs = await db
    .selectFrom('runs')
    .select('run')
    .where('import_id', '=', shown.import_id)
    .where('stage', '=', 'parse')
    .where('run', which === 'earlier' ? '<' : '>', shown.run)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('chunks')
            .select('id')
            .whereRef('chunks.import_id', '=', 'runs.import_id')
            .whereRef('chunks.run', '=', 'runs.run')
            .where('chunks.task', '=', 'remove-rows'),
        ),
      ),
    )
    .execute();
  for (const { run } of runs) await enqueueTask(db, { import_id: shown.import_id, run }, 'remove-rows');
}

/** Removes the next rows of a run, once no unfinished chunk could store more of them. */
export async function removeReplacedRows(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  return db.transaction().execute(async (trx) => {
    const { done } = await lockHeld(trx, chunk);
    if (await hasUnfinishedChunks(trx, chunk))
      return { waitFor: 'Parts of the replaced run are still being read.' };
    const removed = await removeRows(trx, chunk);
    if (removed > 0) {
      await storeTaskProgress(trx, chunk, done + removed);
      return 'more';
    }
    await markDone(trx, chunk);
    return 'done';
  });
}

export async function hasUnfinishedChunks(db: Db, { import_id, run }: RunOfRows): Promise<boolean> {
  const unfinished = await db
    .selectFrom('chunks')
    .select('id')
    .where('import_id', '=', import_id)
    .where('stage', '=', 'parse')
    .where('run', '=', run)
    .where('kind', '<>', 'task')
    .where('state', 'in', ['pending', 'published'])
    .limit(1)
    .executeTakeFirst();
  return unfinished !== undefined;
}

/** Removes a batch from the first table with rows of the run. Outcomes of another sheet wait for its rows. */
async function removeRows(db: Db, of: RunOfRows): Promise<number> {
  const keepsOutcomes = await readsOtherTable(db, of);
  for (const { table, run } of tablesOfRows) {
    if (table === 'outcomes' && keepsOutcomes) continue;
    const which = sql`import_id = ${of.import_id} and ${sql.ref(run)} = ${of.run}`;
    const removed = await deleteBatch(db, table, which);
    if (removed > 0) return removed;
  }
  return 0;
}

/** Deletes at most 20,000 rows of a table that meet the condition. Returns how many. */
export async function deleteBatch(db: Db, table: keyof Schema, which: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${which} limit ${removedRowsMax}))`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Removes the kept places of an import, at most those of 20 million rows. The sweep of orphans takes the others. */
export async function removePlaces(db: Db, importId: string): Promise<void> {
  await deleteBatch(db, 'kept_places', sql`import_id = ${importId}`);
}
