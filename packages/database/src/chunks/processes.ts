import { type Insertable, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ProcessesTable } from '../schema.ts';

/** A process counts as live until it has missed two heartbeats of 5 s and some of a third. */
const liveForMs = 15_000;
/** A process that was killed is forgotten after this long. */
const forgottenAfterMs = 60_000;
/** A stage that one process sweeps now is not swept by another one; less than the pause between two sweeps. */
const sweepHeldMs = 1_000;

const ago = (ms: number) => sql<Date>`clock_timestamp() - ${sql.lit(ms)} * interval '1 millisecond'`;

/** A process as it reports itself. */
export type ReportedProcess = Pick<
  Insertable<ProcessesTable>,
  'id' | 'kind' | 'version' | 'host' | 'pid' | 'slots'
>;

/** A heartbeat. It also brings back a row that was removed while the process was frozen. */
export async function reportProcess(db: Db, process: ReportedProcess): Promise<void> {
  await db
    .insertInto('processes')
    .values(process)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: sql`clock_timestamp()` }))
    .execute();
}

/** Removes a process that ends in order. */
export async function removeProcess(db: Db, id: string): Promise<void> {
  await db.deleteFrom('processes').where('id', '=', id).execute();
}

/** Removes processes that were killed: they have not been seen for a minute. */
export async function removeSilentProcesses(db: Db): Promise<void> {
  const silent = db
    .selectFrom('processes')
    .select('id')
    .where('seen_at', '<', ago(forgottenAfterMs))
    .forUpdate()
    .skipLocked();
  await db.deleteFrom('processes').where('id', 'in', silent).execute();
}

/** The slots of a stage's live workers, 0 when none is known; an expression for use in other statements. */
export function liveSlots(kind: ProcessesTable['kind']) {
  return sql<number>`(
    select coalesce(sum(slots), 0)::int from processes where kind = ${kind} and seen_at > ${ago(liveForMs)})`;
}

/**
 * Whether this process may sweep its stage now: no other process of its kind began to a moment ago. For use in a
 * transaction that holds the stage's sweep lock. A process that freezes in mid-sweep holds the others up for no longer.
 */
export async function beginSweep(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update processes set swept_at = clock_timestamp()
    where id = ${id} and not exists (
      select 1 from processes swept
      where swept.kind = processes.kind and swept.swept_at > ${ago(sweepHeldMs)})`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}
