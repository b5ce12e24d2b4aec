import { finalStatuses } from '@draftshelf/domain/imports/import-status';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows, queryValue } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';

/** SQL list of the final statuses as literals, because the conditions of partial indexes need constants. */
export const finalStatusList = sql.join(finalStatuses.map((status) => sql.lit(status)));

const openShownMax = 500;
const endedShownMax = 200;
const olderPageSize = 200;

export type QueueEntry = { id: string; version: number };

/** A page of imports, newest first. `nextBefore` is the cursor to older imports, or null if there are none. */
export type QueuePage = { entries: QueueEntry[]; nextBefore: string | null };

type PlacedEntry = QueueEntry & { place: string };

/** SQL value: a unique cursor of microseconds and id. A JavaScript date would round the microseconds. */
const place = sql<string>`(extract(epoch from created_at) * 1000000)::bigint || '_' || id`;

/** Both queries use partial indexes, so that their cost does not grow with the number of imports. */
const newestOpen = (max: number) =>
  sql`select * from imports where status not in (${finalStatusList}) order by created_at desc, id limit ${sql.lit(max)}`;
const newestEnded = (max: number) =>
  sql`select * from imports where status in (${finalStatusList}) order by created_at desc, id limit ${sql.lit(max)}`;

export async function readNewestImports(db: Db): Promise<QueuePage> {
  // Each query reads one more row than needed, which shows whether there are more imports.
  const rows = await queryRows<PlacedEntry & { ended: boolean }>(db)`
    select id, version, ${place} as place, status in (${finalStatusList}) as ended
    from ((${newestOpen(openShownMax + 1)}) union all (${newestEnded(endedShownMax + 1)})) newest
    order by created_at desc, id`;
  const open = rows.filter(({ ended }) => !ended);
  const ended = rows.filter(({ ended }) => ended);
  const surplus = [open[openShownMax], ended[endedShownMax]];
  const lastShown = [surplus[0] && open[openShownMax - 1], surplus[1] && ended[endedShownMax - 1]];
  return {
    entries: rows.filter((row) => !surplus.includes(row)),
    nextBefore: rows.find((row) => lastShown.includes(row))?.place ?? null,
  };
}

export async function readOlderImports(db: Db, before: string): Promise<QueuePage> {
  const [micros = '', id = ''] = before.split('_');
  const createdAt = sql`('epoch'::timestamptz + ${Number(micros)} * interval '1 microsecond')`;
  const rows = await queryRows<PlacedEntry>(db)`
    select id, version, ${place} as place from imports
    where created_at <= ${createdAt} and (created_at < ${createdAt} or id > ${id}::uuid)
      and id not in (
        select id from (${newestOpen(openShownMax)}) open union all select id from (${newestEnded(endedShownMax)}) ended
      )
    order by created_at desc, id limit ${olderPageSize + 1}`;
  const entries = rows.slice(0, olderPageSize);
  return { entries, nextBefore: rows.length > olderPageSize ? (entries.at(-1)?.place ?? null) : null };
}

export const countImports = (db: Db) => queryValue<number>(db)`select count(*)::int as count from imports`;

export async function readImports(db: Db, ids: readonly string[]): Promise<ImportRecord[]> {
  const isGiven = sql<boolean>`id = any(${ids}::uuid[])`;
  return db.selectFrom('import_records').selectAll().where(isGiven).execute();
}

/** Only the newest imports are searched. Reading this many names takes 0.6 ms. */
const searchedMax = 2_000;

/** Finds the newest imports whose filename contains a text, ignoring case. Returns at most `limit`. */
export const findImportsByName = (db: Db, text: string, limit: number) =>
  queryRows<Pick<ImportRecord, 'id' | 'filename' | 'status' | 'created_at'>>(db)`
    select id, filename, status, created_at from (
      select id, filename, status, created_at from imports order by created_at desc, id limit ${searchedMax}
    ) newest
    where strpos(lower(filename), lower(${text})) > 0 order by created_at desc, id
      limit ${limit}`;
