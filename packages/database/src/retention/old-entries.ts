import { finalStatuses } from '@draftshelf/domain/import-status';
import { sql } from 'kysely';
import { tryLock } from '../connection/advisory-lock.ts';
import type { OpenDatabase } from '../connection/database.ts';
import { deleteBatch } from '../rows/remove-rows.ts';

/** Chunks of a push are read for the chart of its rate. */
const pushChunkDays = 90;
/** A push can be undone while the states of its products are kept. */
export const pushedStateDays = 90;
/** An address is checked again after 30 days, so it is in no recent import. */
const imageDays = 90;
/** Only products that are being sent ask for the claims of others. */
const claimDays = 1;

const before = (days: number) => sql`now() - ${sql.lit(days)} * interval '1 day'`;

/** Tables that only grow, and which of their entries nobody needs any more. */
const oldEntries = [
  {
    table: 'chunks',
    which: sql`stage = 'push' and kind = 'work' and state in ('done','dropped') and ended_at < ${before(pushChunkDays)}
      and exists (select 1 from imports where imports.id = chunks.import_id and status = any(${finalStatuses}::text[]))`,
  },
  { table: 'pushed_states', which: sql`written_at < ${before(pushedStateDays)}` },
  { table: 'images', which: sql`checked_at < ${before(imageDays)}` },
  { table: 'key_claims', which: sql`claimed_at < ${before(claimDays)}` },
] as const;

/**
 * Removes the next old entries, at most 20,000 of one table. Returns how many: 0 when there are none left, or when
 * another worker removes them.
 */
export async function removeOldEntries({ db }: Pick<OpenDatabase, 'db'>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    if (!(await tryLock(trx, 'remove old entries'))) return 0;
    for (const { table, which } of oldEntries) {
      const removed = await deleteBatch(trx, table, which);
      if (removed > 0) return removed;
    }
    return 0;
  });
}
