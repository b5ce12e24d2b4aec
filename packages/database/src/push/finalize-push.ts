import { type Kysely, sql } from 'kysely';
import { countChunks } from '../chunks/chunks.ts';
import { markDone } from '../chunks/claim-chunk.ts';
import { failImport, lockRunning } from '../chunks/complete-chunk.ts';
import { endRun } from '../chunks/runs.ts';
import type { Db } from '../connection/database.ts';
import { moveStatus, statusOf } from '../imports/imports.ts';
import { lastEdit } from '../parse/apply-edits.ts';
import { deadSentence } from '../parse/finalize-parse.ts';
import type { ChunkRecord, Schema } from '../schema.ts';

/**
 * The last step of a push run: every product has an outcome, and the status follows from the outcomes. Edits made after
 * a product was pushed are looked for before the import is locked; under the lock only newer edits are checked.
 */
export async function finalizePush(db: Kysely<Schema>, chunk: ChunkRecord): Promise<true> {
  const until = await lastEdit(db, chunk.import_id);
  const edited = await wasEditedSince(db, chunk.import_id, 0);
  await db.transaction().execute((trx) => endPush(trx, chunk, { until, edited }));
  return true;
}

async function endPush(db: Db, chunk: ChunkRecord, known: { until: number; edited: boolean }): Promise<void> {
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
  const edited = known.edited || (await wasEditedSince(db, record.id, known.until));
  const to = edited ? statusOf(record) : 'completed';
  await moveStatus(db, record.id, { from: ['uploading'], to, set: ended });
}

const ended = { completed_at: sql<Date>`now()`, waiting_for: null, waiting_until: null };

function noneSentence(skipped: number, failed: number): string {
  const parts = [
    skipped > 0 ? `${skipped} skipped (see the rows for reasons)` : '',
    failed > 0 ? `${failed} rejected by the store` : '',
  ].filter((part) => part !== '');
  return `No products were pushed: ${parts.join(', ') || 'the import has none'}.`;
}

/**
 * Whether a product was edited after its latest outcome, whichever run decided it, by the edits with ids above `after`:
 * then there is something left to push. A row is identified by its offset, since a re-read may have renumbered it.
 * Nearly always nothing was edited since the earliest outcome, and then no row is read.
 */
async function wasEditedSince(db: Db, importId: string, after: number): Promise<boolean> {
  const { rows } = await sql`
    with late as materialized (
      select byte_from, max(edited_at) as edited_at from edits
      where import_id = ${importId} and id > ${after}
        and edited_at > (
          select min(decided_at) from outcomes join imports on imports.id = import_id and imports.rows_run = outcomes.rows_run
          where import_id = ${importId})
      group by byte_from
    )
    select 1 from late
    join imports on imports.id = ${importId}
    join rows on rows.import_id = imports.id and rows.run = imports.rows_run and rows.byte_from = late.byte_from
    join outcomes on outcomes.import_id = imports.id and outcomes.rows_run = imports.rows_run
      and outcomes.product = rows.product
    where late.edited_at > outcomes.decided_at
    limit 1`.execute(db);
  return rows.length > 0;
}
