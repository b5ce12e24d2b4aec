import { eventsPerKindMax, shownEventsMax } from '@draftshelf/domain/access/security-events';
import { type Insertable, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { SecurityEventsTable } from '../connection/schema.ts';

export type NewSecurityEvent = Insertable<SecurityEventsTable>;

/** Inserts events. Of each kind, keeps only the newest `eventsPerKindMax` events and removes older ones. */
export async function insertSecurityEvents(db: Db, events: readonly NewSecurityEvent[]): Promise<void> {
  if (events.length === 0) return;
  await db.insertInto('security_events').values(events).execute();
  // Locked events are skipped instead of waited for, because another process is already removing them.
  await sql`
    delete from security_events where id in (
      select id from security_events where id in (
        select id from (
          select id, row_number() over (partition by kind order by id desc) as place from security_events
        ) placed where place > ${eventsPerKindMax}
      ) for update skip locked
    )`.execute(db);
}

export const listSecurityEvents = (db: Db) =>
  db.selectFrom('security_events').selectAll().orderBy('id', 'desc').limit(shownEventsMax).execute();
