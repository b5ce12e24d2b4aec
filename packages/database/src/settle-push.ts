import { sql } from 'kysely';
import { countChunks } from './chunks.ts';
import { markDone } from './claims.ts';
import type { Db } from './connect.ts';
import { failImport, lockRunning } from './hand-over.ts';
import { moveStatus, statusOf } from './imports.ts';
import { endRun } from './runs.ts';
import type { ChunkRecord } from './schema.ts';
import { deadSentence } from './settle-parse.ts';

/** The last step of a push run, in one transaction: every product has an outcome, and the status follows from them. */
export async function settlePush(db: Db, chunk: ChunkRecord): Promise<void> {
  const record = await lockRunning(db, chunk);
  await markDone(db, chunk);
  const { undone, dead, causes } = await countChunks(db, chunk);
  if (undone > 0) return;
  if (dead > 0) {
    await failImport(db, chunk.import_id, 'push', deadSentence(dead, causes));
    return;
  }
  await endRun(db, chunk);
  if (record.created + record.updated + record.unchanged === 0) {
    await failImport(db, chunk.import_id, 'push', noneSentence(record.skipped, record.failed));
    return;
  }
  if (await wasEditedSince(db, chunk)) {
    await moveStatus(db, record.id, { from: ['uploading'], to: statusOf(record), set: ended });
    return;
  }
  await moveStatus(db, record.id, { from: ['uploading'], to: 'completed', set: ended });
}

const ended = { completed_at: sql<Date>`now()`, waiting_for: null, waiting_until: null };

function noneSentence(skipped: number, failed: number): string {
  const parts = [
    skipped > 0 ? `${skipped} skipped (each row says why)` : '',
    failed > 0 ? `${failed} refused by the store` : '',
  ].filter((part) => part !== '');
  return `No product could be pushed: ${parts.join(', ') || 'the import has none'}.`;
}

/**
 * Whether a product was edited after its latest outcome, whichever run gave it: then there is something left to push.
 * A row is known by its offset, since a re-read may have numbered it anew. Where nothing was edited since the earliest
 * outcome, which is nearly always, no row is read.
 */
async function wasEditedSince(db: Db, chunk: ChunkRecord): Promise<boolean> {
  const { rows } = await sql`
    with late as materialized (
      select byte_from, max(edited_at) as edited_at from edits
      where import_id = ${chunk.import_id}
        and edited_at > (select min(decided_at) from outcomes where import_id = ${chunk.import_id})
      group by byte_from
    )
    select 1 from late
    join imports on imports.id = ${chunk.import_id}
    join rows on rows.import_id = imports.id and rows.run = imports.rows_run and rows.byte_from = late.byte_from
    join outcomes on outcomes.import_id = imports.id and outcomes.product = rows.product
    where late.edited_at > outcomes.decided_at
    limit 1`.execute(db);
  return rows.length > 0;
}
