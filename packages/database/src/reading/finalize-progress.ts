import type { Db } from '../connection/database.ts';
import type { ChunkRecord, FinalizeProgress } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { ofRun, readRun } from '../work/runs.ts';

/** The stored progress of finalizing the run of a chunk, or null when it has not begun. */
export async function readProgress(db: Db, chunk: ChunkRecord): Promise<FinalizeProgress | null> {
  return (await readRun(db, chunk, ['finalize'])).finalize;
}

/** Stores the progress of finalizing a run. */
export async function storeProgress(db: Db, chunk: ChunkRecord, progress: FinalizeProgress): Promise<void> {
  await db
    .updateTable('runs')
    .set({ finalize: storableJson(progress) })
    .where(ofRun(chunk))
    .execute();
}
