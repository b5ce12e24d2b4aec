import type { Kysely } from 'kysely';
import { countChunks } from '../chunks/chunks.ts';
import { markDone } from '../chunks/claim-chunk.ts';
import { failImport, lockRunning } from '../chunks/complete-chunk.ts';
import { endRun } from '../chunks/runs.ts';
import { deadSentence, endProcessing } from '../parse/finalize-parse.ts';
import type { ChunkRecord, Schema } from '../schema.ts';

/** The last step of an enrich run, in one transaction: ends the processing, or fails the import with the causes. */
export async function finalizeEnrich(db: Kysely<Schema>, chunk: ChunkRecord): Promise<true> {
  await db.transaction().execute(async (trx) => {
    await lockRunning(trx, chunk);
    await markDone(trx, chunk);
    const { undone, dead, causes } = await countChunks(trx, chunk);
    if (undone > 0) return;
    if (dead > 0) {
      await failImport(trx, chunk.import_id, 'enrich', deadSentence(dead, causes));
      return;
    }
    await endRun(trx, chunk);
    await endProcessing(trx, chunk.import_id);
  });
  return true;
}
