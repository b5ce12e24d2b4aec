import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord, Schema } from '../connection/schema.ts';
import { replaceRowsByPlaces } from '../reading/kept-places.ts';
import { lockHeld, markDone } from '../work/claim-chunk.ts';
import type { RunOfRows } from '../work/runs.ts';
import { storeTaskProgress, type TaskProgress } from '../work/tasks.ts';
import { deleteBatch } from './remove-rows.ts';
import { vacuumRemoved } from './vacuum.ts';

/** Data that a re-read makes again. Counts by class and issue stay, and so do outcomes. */
const rebuiltTables = ['row_matches', 'row_joins', 'found_values', 'product_lacks'] as const;

/** Removes the next rows of a run, at most 20,000 of one table, and keeps their places. Returns their number. */
export async function removeRetiredRows(db: Db, of: RunOfRows): Promise<number> {
  for (const table of rebuiltTables) {
    const removed = await deleteBatch(db, table, whichOf(of));
    if (removed > 0) return removed;
  }
  const removed = await replaceRowsByPlaces(db, of);
  // The places have taken their ids.
  return removed > 0 ? removed : deleteBatch(db, 'row_items', whichOf(of));
}

const whichOf = ({ import_id, run }: RunOfRows) => sql`import_id = ${import_id} and run = ${run}`;

export const vacuumedTables = ['rows'] as const;

/** The task 'retire-rows': removes the rows of an import that ended long ago. */
export async function retireRows(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  const { removed, done } = await db.transaction().execute(async (trx) => {
    const held = await lockHeld(trx, chunk);
    const count = await removeRetiredRows(trx, chunk);
    if (count > 0) await storeTaskProgress(trx, chunk, held.done + count);
    return { removed: count, done: held.done };
  });
  if (removed > 0) return 'more';
  await vacuumRemoved(db, done, vacuumedTables);
  await markDone(db, chunk);
  return 'done';
}
