import type { ChunkRecord, Schema } from '@draftshelf/database/connection/schema';
import { lockRunning } from '@draftshelf/database/work/complete-chunk';
import type { Kysely } from 'kysely';
import { endRunOrFail } from './end-run-or-fail.ts';
import { endProcessing } from './finalize-parse.ts';

/** The last step of an enrich run, in one transaction: ends the processing, or fails the import with the causes. */
export async function finalizeEnrich(db: Kysely<Schema>, chunk: ChunkRecord): Promise<true> {
  await db.transaction().execute(async (trx) => {
    const record = await lockRunning(trx, chunk);
    if (await endRunOrFail(trx, record, chunk)) await endProcessing(trx, record.id);
  });
  return true;
}
