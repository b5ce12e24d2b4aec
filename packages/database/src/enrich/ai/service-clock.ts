import { sql } from 'kysely';
import { aheadMsMax, movedBack } from '../../connection/clock.ts';
import type { Db } from '../../connection/database.ts';
import type { AiServiceRecord } from '../../connection/schema.ts';

/** The AI service, and the milliseconds by which its last admission is ahead of the clock of Postgres. */
export type ClockedService = AiServiceRecord & { ahead_ms: number };

/**
 * Moves the stored times of the AI service back with the clock of Postgres, if it was set back since the last
 * admission: otherwise its pauses, and the calls that count, would last longer by as much. Call it with the service's
 * row locked; returns the row as it is now.
 */
export async function followClock(db: Db, service: ClockedService): Promise<AiServiceRecord> {
  if (service.ahead_ms > aheadMsMax) await moveBack(db, service.ahead_ms);
  else if (service.ahead_ms > -aheadMsMax) return service;
  return db
    .updateTable('ai_service')
    .set({ admitted_at: sql`clock_timestamp()` })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function moveBack(db: Db, backMs: number): Promise<void> {
  const move = (column: string) => movedBack(column, backMs);
  await sql`update ai_service set ${move('blocked_until')}`.execute(db);
  await sql`
    update ai_asks set ${move('not_before')}, ${move('asked_at')} where state in ('wanted', 'asking')`.execute(
    db,
  );
  await sql`update ai_calls set ${move('counts_from')} where counts_from > clock_timestamp()`.execute(db);
}
