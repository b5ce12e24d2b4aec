import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';

/**
 * Ends what was under way in the processes of the backup, where nobody else would. The rest ends by itself: calls,
 * leases and look-ups that were under way run out, and pushes look up in the store what they do not know to be there.
 */
export async function afterRestore(db: Db): Promise<void> {
  // The queue is empty, and no connection holds a claim. A claim that was under way did not fail.
  await sql`
    update chunks set state = 'pending', publication = publication + 1, priority = null,
      claims = greatest(claims - (claim_pid is not null)::int, 0), claim_pid = null, claim_backend_start = null
    where state = 'published' or (state = 'pending' and claim_pid is not null)`.execute(db);
  await sql`
    update store_syncs set ended_at = clock_timestamp(), error = 'The sync was interrupted: a backup was restored.'
    where ended_at is null`.execute(db);
}
