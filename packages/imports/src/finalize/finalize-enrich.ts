import { countChunks } from '@draftshelf/database/chunks/chunks';
import { markDone } from '@draftshelf/database/chunks/claim-chunk';
import { lockRunning } from '@draftshelf/database/chunks/complete-chunk';
import { endRun } from '@draftshelf/database/chunks/runs';
import type { ChunkRecord, Schema } from '@draftshelf/database/schema';
import type { Kysely } from 'kysely';
import { failImport } from '../fail-import.ts';
import { deadSentence, endProcessing } from './finalize-parse.ts';

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
