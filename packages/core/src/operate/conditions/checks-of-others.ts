import type { HealthFacts } from '@draftshelf/domain/operate/find-signs';
import { sql } from 'kysely';
import { ago, isWithin } from '../../connection/clock.ts';
import type { Db } from '../../connection/database.ts';

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

/** What the newest audits say. `openMsMax`: one that has not ended for longer is overdue. */
export async function readAuditFacts(db: Db, openMsMax: number): Promise<HealthFacts['audit']> {
  const { rows } = await sql<HealthFacts['audit']>`
    select
      coalesce((select difference_count from audits
        where ended_at is not null and problem is null order by id desc limit 1), 0) as differences,
      coalesce((select problem is not null from audits
        where ended_at is not null order by id desc limit 1), false) as "brokeOff",
      exists (select 1 from audits where ended_at is null and started_at < ${ago(openMsMax)}) as "isOverdue"`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error('Postgres returned no line');
  return row;
}
