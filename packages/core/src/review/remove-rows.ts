import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { changeRows, hasRows, queryValues } from '../connection/query-rows.ts';
import type { ChunkRecord, Schema } from '../connection/schema.ts';
import { readsOtherTable } from '../reading/carry-over.ts';
import { removedRowsMax, replaceRowsByPlaces } from '../reading/kept-places.ts';
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
  const runs = await queryValues<number>(db)`
    select run from runs
    where import_id = ${shown.import_id} and stage = 'parse'
      and run ${which === 'earlier' ? sql`<` : sql`>`} ${shown.run} and not exists (
        select 1 from chunks
        where chunks.import_id = runs.import_id and chunks.run = runs.run and task = 'remove-rows')`;
  for (const run of runs) await enqueueTask(db, { import_id: shown.import_id, run }, 'remove-rows');
}

/** Removes the next rows of a run, once no unfinished chunk could store more of them. */
export async function removeReplacedRows(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  if (await hasUnfinishedChunks(db, chunk))
    return { waitFor: 'Parts of the replaced run are still being read.' };
  return removePart(db, chunk, removeRows);
}

/** The task 'retire-rows': removes the rows of an import that ended long ago. */
export const retireRows = (db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> =>
  removePart(db, chunk, removeRetiredRows);

function removePart(
  db: Kysely<Schema>,
  chunk: ChunkRecord,
  remove: typeof removeRows,
): Promise<TaskProgress> {
  return db.transaction().execute(async (trx) => {
    const { done } = await lockHeld(trx, chunk);
    const removed = await remove(trx, chunk);
    if (removed > 0) {
      await storeTaskProgress(trx, chunk, done + removed);
      return 'more';
    }
    await markDone(trx, chunk);
    return 'done';
  });
}

export const hasUnfinishedChunks = (db: Db, { import_id, run }: RunOfRows) =>
  hasRows(db)`
    select 1 from chunks where import_id = ${import_id} and stage = 'parse' and run = ${run}
      and kind <> 'task' and state in ('pending', 'published') limit 1`;

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
  return changeRows(db)`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${which} limit ${removedRowsMax}))`;
}

/** Data that a re-read makes again. Counts by class and issue stay, and so do outcomes. */
const rebuiltTables = ['row_matches', 'row_joins', 'found_values', 'product_lacks'] as const;

/** Removes the next rows of a run, at most 20,000 of one table, and keeps their places. Returns their number. */
export async function removeRetiredRows(db: Db, of: RunOfRows): Promise<number> {
  for (const table of rebuiltTables) {
    const removed = await deleteBatch(db, table, whichOf(of));
    if (removed > 0) return removed;
  }
  const removed = await replaceRowsByPlaces(db, of);
  // The places now have their ids.
  return removed > 0 ? removed : deleteBatch(db, 'row_items', whichOf(of));
}

const whichOf = ({ import_id, run }: RunOfRows) => sql`import_id = ${import_id} and run = ${run}`;
