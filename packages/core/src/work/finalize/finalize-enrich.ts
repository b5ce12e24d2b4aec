import type { Kysely } from 'kysely';
import type { ChunkRecord, Schema } from '../../connection/schema.ts';
import { analyzeGrown } from '../../review/vacuum.ts';
import { lockRunning } from '../complete-chunk.ts';
import { endRunOrFail } from './end-run-or-fail.ts';
import { endProcessing } from './finalize-parse.ts';

export async function finalizeEnrich(db: Kysely<Schema>, chunk: ChunkRecord): Promise<true> {
  await analyzeGrown(db);
  await db.transaction().execute(async (trx) => {
    const record = await lockRunning(trx, chunk);
    if (await endRunOrFail(trx, record, chunk)) await endProcessing(trx, record.id);
  });
  return true;
}
