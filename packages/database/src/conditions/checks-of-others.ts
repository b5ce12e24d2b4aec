import type { HealthFacts } from '@draftshelf/domain/find-signs';
import { sql } from 'kysely';
import { isWithin } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';

/** How old the latest backup is, while a real store is set. */
export async function readBackupAge(db: Db, recentMs: number): Promise<HealthFacts['backup']> {
  const access = await db.selectFrom('outside_access').select('real_store').executeTakeFirst();
  if (!access?.real_store) return 'unneeded';
  const { rows } = await sql<{ recent: boolean | null }>`
    select bool_or(${isWithin(sql.ref('taken_at'), recentMs)}) as recent from backups`.execute(db);
  const recent = rows[0]?.recent ?? null;
  if (recent === null) return 'never';
  return recent ? 'recent' : 'old';
}

/** How many differences the latest audit found; null: there is no audit. */
export async function readAuditDifferences(db: Db): Promise<number | null> {
  const { rows } = await sql<{ differences: number }>`
    select difference_count as differences from audits where ended_at is not null order by ended_at desc limit 1`.execute(
    db,
  );
  return rows[0]?.differences ?? null;
}
