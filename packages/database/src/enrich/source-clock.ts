import { sql } from 'kysely';
import { aheadMsMax, movedBack } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import type { SourceRecord } from '../connection/schema.ts';

/** A source, and the milliseconds by which its last admission is ahead of the clock of Postgres. */
export type ClockedSource = SourceRecord & { ahead_ms: number };

/**
 * Moves the stored times of a source back with the clock of Postgres, if it was set back since the last admission:
 * otherwise its waits, and the calls that count, would last longer by as much. Only times in the future move; a call
 * that seems to be of the past keeps counting, so that the source never gets more calls than it allows. Call it with
 * the source's row locked; returns the row as it is now.
 */
export async function followClock(db: Db, source: ClockedSource): Promise<SourceRecord> {
  if (source.ahead_ms > aheadMsMax) await moveBack(db, source.name, source.ahead_ms);
  else if (source.ahead_ms > -aheadMsMax) return source;
  const { rows: moved } = await sql<SourceRecord>`
    update sources set admitted_at = clock_timestamp() where name = ${source.name} returning *`.execute(db);
  return moved[0] ?? source;
}

async function moveBack(db: Db, source: string, backMs: number): Promise<void> {
  const move = (column: string) => movedBack(column, backMs);
  await sql`
    update sources set ${move('blocked_until')}, ${move('calls_left_until')} where name = ${source}`.execute(
    db,
  );
  await sql`
    update lookups set ${move('not_before')}, ${move('asked_at')}
    where source = ${source} and state in ('wanted', 'asking')`.execute(db);
  await sql`update source_calls set ${move('counts_from')} where source = ${source}`.execute(db);
}
