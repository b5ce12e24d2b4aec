import type { Db } from '@draftshelf/database/connection/database';
import { moveStatus } from '@draftshelf/database/imports/imports';
import { sql } from 'kysely';
import { pausedByStore } from './import-actions.ts';

/** A store that refuses everything for this long pauses the import; a brief refusal is only waited for. */
const refusedMsMax = 60_000;
const firstPauseMinutes = 10;
const pauseMinutesMax = 120;

/**
 * Notes that a locked or unpaid store has refused a request of a push. After 60 s of refusals, or at the first one
 * after such a pause, it pauses the import: for 10 minutes, then 20, 40 and so on, at most 2 h. The store's next answer
 * to a write starts again. Returns whether the import is paused.
 */
export async function noteLockedStore(db: Db, id: string, cause: string): Promise<boolean> {
  const { rows } = await sql<{ refused_ms: number; pauses: number }>`
    update imports set store_refuses_since = coalesce(store_refuses_since, clock_timestamp())
    where id = ${id}
    returning (extract(epoch from clock_timestamp() - store_refuses_since) * 1000)::float8 as refused_ms,
      store_pauses as pauses`.execute(db);
  const [row] = rows;
  if (!row || (row.pauses === 0 && row.refused_ms < refusedMsMax)) return false;
  const minutes = Math.min(pauseMinutesMax, firstPauseMinutes * 2 ** Math.min(row.pauses, 10));
  const resumeAt = new Date(Date.now() + minutes * 60_000);
  await moveStatus(db, id, {
    from: ['uploading'],
    to: 'paused',
    event: 'paused',
    set: { ...pausedByStore({ cause, resumeAt }), store_pauses: row.pauses + 1 },
  });
  return true;
}
