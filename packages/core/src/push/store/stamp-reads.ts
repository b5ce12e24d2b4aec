import { sql } from 'kysely';
import { isRecent } from '../../connection/clock.ts';
import type { Db } from '../../connection/database.ts';
import { findValue, hasRows, queryValues } from '../../connection/query-rows.ts';
import type { ChangeTimes } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import type { RunOfRows } from '../../work/runs.ts';

/** Product numbers per read of the store. */
export const productsPerStampRead = 100;

/** Time after which a worker that has not stored its read may be dead. */
const readingMsMax = 10_000;
/** Maximum age of a read. An older read is repeated, because products may have changed since. */
const keptMsMax = 60_000;

/** A part of a push run: 100 product numbers, from part × 100 + 1 on. */
export type StampPart = { import_id: string; run: number; part: number };

const changedAt = sql.ref('stamp_reads.changed_at');

/** Claims the read of a part. Returns 'mine', 'reading' if another worker claimed it, or stamps of the last minute. */
export async function claimStampRead(
  db: Db,
  { import_id, run, part }: StampPart,
): Promise<'mine' | 'reading' | ChangeTimes> {
  const isMine = await hasRows(db)`
    insert into stamp_reads (import_id, run, part) values (${import_id}, ${run}, ${part})
    on conflict (import_id, run, part) do update set stamps = null, changed_at = clock_timestamp()
      where not case when stamp_reads.stamps is null then ${isRecent(changedAt, readingMsMax)}
        else ${isRecent(changedAt, keptMsMax)} end
    returning part`;
  if (isMine) return 'mine';
  const stamps = await findValue<ChangeTimes>(db)`
    select stamps from stamp_reads where import_id = ${import_id} and run = ${run} and part = ${part}`;
  return stamps ?? 'reading';
}

/** Stores a read for all workers of the run. Null releases the claim, so that another worker can read. */
export async function saveStampRead(db: Db, { import_id, run, part }: StampPart, stamps: ChangeTimes | null) {
  const which = sql`import_id = ${import_id} and run = ${run} and part = ${part}`;
  if (stamps === null) await sql`delete from stamp_reads where ${which}`.execute(db);
  else {
    await sql`update stamp_reads set stamps = ${storableJson(stamps)}::json, changed_at = clock_timestamp()
      where ${which}`.execute(db);
  }
}

/** Finds the store ids of a part's products, according to earlier pushes. */
export const findPushedIds = (db: Db, of: RunOfRows, { part }: StampPart) =>
  queryValues<string>(db)`
    select distinct store_product_id from outcomes
    where import_id = ${of.import_id} and rows_run = ${of.run}
      and product > ${part * productsPerStampRead} and product <= ${(part + 1) * productsPerStampRead}
      and outcome in ('created', 'updated', 'unchanged') and store_product_id is not null`;

export async function removeStampReads(db: Db, importId: string): Promise<void> {
  await sql`delete from stamp_reads where import_id = ${importId}`.execute(db);
}
