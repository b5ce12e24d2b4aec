import type { Db } from '../connection/database.ts';
import { findRow } from '../connection/query-rows.ts';
import { lockHeldChunk, type StartedChunk } from './claim-chunk.ts';
import { pauseForStore } from './import-actions.ts';

/** Refusals that last less than this only delay a chunk; longer ones pause the import. */
const refusedMsMax = 60_000;
const firstPauseMinutes = 10;
const pauseMinutesMax = 120;

/**
 * Records that a locked or unpaid store has refused a request. After 60 s of refusals, or at the first refusal after
 * such a pause, pauses the import for 10 minutes, then 20, 40 and so on, up to 2 h. The store's next reply to a write
 * resets the pause. Returns whether the chunk must stop, because the import is paused or was started again since the
 * claim. Throws ChunkFenced.
 */
export async function recordStoreRefusal(db: Db, chunk: StartedChunk, cause: string): Promise<boolean> {
  await lockHeldChunk(db, chunk);
  const row = await findRow<{ refused_ms: number; pauses: number }>(db)`
    update imports set store_refuses_since = least(store_refuses_since, clock_timestamp())
    where id = ${chunk.import_id} and starts = ${chunk.start}
    returning (extract(epoch from clock_timestamp() - store_refuses_since) * 1000)::float8 as refused_ms,
      store_pauses as pauses`;
  if (!row) return true;
  if (row.pauses === 0 && row.refused_ms < refusedMsMax) return false;
  const minutes = Math.min(pauseMinutesMax, firstPauseMinutes * 2 ** Math.min(row.pauses, 10));
  await pauseForStore(db, chunk, { cause, waitMs: minutes * 60_000, set: { store_pauses: row.pauses + 1 } });
  return true;
}
