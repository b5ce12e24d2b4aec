import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { changeRows, hasRows, queryValues } from '../connection/query-rows.ts';
import type { ChunkRecord, Schema } from '../connection/schema.ts';
import { hasReadOtherTable } from '../reading/carry-over.ts';
import { removedRowsMax, replaceRowsByPlaces } from '../reading/kept-places.ts';
import { lockHeldChunk, markDone } from '../work/claim-chunk.ts';
import type { RunOfRows } from '../work/runs.ts';
import { enqueueTask, storeTaskProgress, type TaskProgress } from '../work/tasks.ts';

/** Tables whose data a re-read creates again. */
const rebuiltTables = ['row_matches', 'row_joins', 'found_values', 'product_lacks'] as const;

/** Enqueues the removal of the rows of earlier runs, or of later runs that failed or were cancelled. */
export async function enqueueRowRemoval(db: Db, shown: RunOfRows, which: 'earlier' | 'later'): Promise<void> {
  const runs = await queryValues<number>(db)`
    select run from runs
    where import_id = ${shown.import_id} and stage = 'parse'
      and run ${which === 'earlier' ? sql`<` : sql`>`} ${shown.run} and not exists (
        select 1 from chunks
        where chunks.import_id = runs.import_id and chunks.run = runs.run and task = 'remove-rows')`;
  for (const run of runs) await enqueueTask(db, { import_id: shown.import_id, run }, 'remove-rows');
}

/** Removes the next rows of a replaced run. Waits while the run has an unfinished chunk, which may still store rows. */
export async function removeReplacedRows(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  const { import_id, run } = chunk;
  const isUnfinished = await hasRows(db)`
    select 1 from chunks where import_id = ${import_id} and stage = 'parse' and run = ${run}
      and kind <> 'task' and state in ('pending', 'published') limit 1`;
  if (isUnfinished) return { waitFor: 'Parts of the replaced run are still being read.' };
  return removePart(db, chunk, removeRows);
}

/** Runs the task 'retire-rows', which removes the rows of an import that ended long ago. */
export const retireRows = (db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> =>
  removePart(db, chunk, removeRetiredRows);

function removePart(
  db: Kysely<Schema>,
  chunk: ChunkRecord,
  remove: typeof removeRows,
): Promise<TaskProgress> {
  return db.transaction().execute(async (trx) => {
    const { done } = await lockHeldChunk(trx, chunk);
    const removed = await remove(trx, chunk);
    if (removed > 0) {
      await storeTaskProgress(trx, chunk, done + removed);
      return 'more';
    }
    return markDone(trx, chunk);
  });
}

/** Deletes a batch from the first table that has rows of the run. Keeps the outcomes if the run read another table. */
const removeRows = async (db: Db, of: RunOfRows): Promise<number> =>
  (await deleteNextBatch(db, [...rebuiltTables, 'picture_matches', 'kept_places'], whichOf(of))) ||
  (await removeOutcomes(db, of)) ||
  deleteNextBatch(db, ['rows', 'row_items'], whichOf(of));

const removeOutcomes = async (db: Db, of: RunOfRows): Promise<number> =>
  (await hasReadOtherTable(db, of))
    ? 0
    : deleteBatch(db, 'outcomes', sql`import_id = ${of.import_id} and rows_run = ${of.run}`);

/** Deletes up to 20,000 rows of a table that meet the condition. Returns the number of deleted rows. */
export async function deleteBatch(db: Db, table: keyof Schema, which: RawBuilder<unknown>): Promise<number> {
  return changeRows(db)`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${which} limit ${removedRowsMax}))`;
}

/** Deletes a batch from the first table that has rows matching the condition. Returns the number of deleted rows. */
export async function deleteNextBatch(db: Db, tables: readonly (keyof Schema)[], which: RawBuilder<unknown>) {
  for (const table of tables) {
    const removed = await deleteBatch(db, table, which);
    if (removed > 0) return removed;
  }
  return 0;
}

/**
 * Removes the next rows of a run, up to 20,000 of one table. Keeps the outcomes, the counts by class and issue, and
 * the place and id of each row. Returns the number of removed rows.
 */
export const removeRetiredRows = async (db: Db, of: RunOfRows): Promise<number> =>
  (await deleteNextBatch(db, rebuiltTables, whichOf(of))) ||
  (await replaceRowsByPlaces(db, of)) ||
  deleteBatch(db, 'row_items', whichOf(of));

const whichOf = ({ import_id, run }: RunOfRows) => sql`import_id = ${import_id} and run = ${run}`;
