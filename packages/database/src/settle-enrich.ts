import { countChunks } from './chunks.ts';
import { markDone } from './claims.ts';
import type { Db } from './connect.ts';
import { failImport, lockRunning } from './hand-over.ts';
import { endRun } from './runs.ts';
import type { ChunkRecord } from './schema.ts';
import { deadSentence, endProcessing } from './settle-parse.ts';

/** The last step of an enrich run, in one transaction: ends the processing, or fails with what could not be done. */
export async function settleEnrich(db: Db, chunk: ChunkRecord): Promise<void> {
  await lockRunning(db, chunk);
  await markDone(db, chunk);
  const { undone, dead, causes } = await countChunks(db, chunk);
  if (undone > 0) return;
  if (dead > 0) {
    await failImport(db, chunk.import_id, 'enrich', deadSentence(dead, causes));
    return;
  }
  await endRun(db, chunk);
  await endProcessing(db, chunk.import_id);
}
