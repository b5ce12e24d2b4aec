import { type FetchFailure, type ListSchedule, retryMsOf } from '@draftshelf/domain/suppliers/fetched-list';
import type { ListAddress, ListSecret } from '@draftshelf/domain/suppliers/list-address';
import { type Insertable, sql } from 'kysely';
import { readCredential, removeCredentials, saveCredential } from '../access/credentials.ts';
import type { SealingKeys } from '../access/sealing.ts';
import { timeAgo, timeFromNow } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { findRow, hasRows, queryRow, queryRows, queryValue, queryValues } from '../connection/query-rows.ts';
import type { FeedFetchesTable, FeedFetchRecord, FeedRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { requestTask } from '../work/background-tasks.ts';
import { confirmName, findSupplier, insertSupplier, lockNewSuppliers, lockSupplier } from './suppliers.ts';

const serviceOf = (id: string) => `feed:${id}`;
const now = sql<Date>`clock_timestamp()`;

export const findFeed = (db: Db, id: string) => findRow<FeedRecord>(db)`select * from feeds where id = ${id}`;

/** Finds the active feed of a supplier. `lock` is an SQL clause such as `for update`. */
export const findFeedOfSupplier = (db: Db, supplier: number, lock = sql``) =>
  findRow<FeedRecord>(db)`select * from feeds where supplier = ${supplier} and state = 'on' ${lock}`;

/** Reads the address and sign-in of a feed. Returns undefined if `keys` cannot decrypt them. */
export async function readFeedSecret(
  db: Db,
  keys: SealingKeys | null,
  id: string,
): Promise<ListSecret | undefined> {
  return (await readCredential(db, keys, serviceOf(id)))?.value as ListSecret | undefined;
}

type TestedAddress = Pick<FeedRecord, 'supplier' | 'host_key'> & { address: ListAddress; secret: ListSecret };

/** Inserts a feed in state `test` and requests its fetch, in the caller's transaction. Returns the feed's id. */
export async function beginFeedTest(db: Db, keys: SealingKeys, tested: TestedAddress): Promise<string> {
  const { address, secret, supplier, host_key } = tested;
  const { kind, shown, host } = address;
  const { id } = await db
    .insertInto('feeds')
    .values({ supplier, kind, shown, host, sign_in: secret.signIn.kind, host_key })
    .returning('id')
    .executeTakeFirstOrThrow();
  await saveCredential(db, keys, { service: serviceOf(id), value: secret, shop: null, origin: 'operator' });
  await requestTask(db, 'fetch-list', id);
  return id;
}

/** Counts the tests begun within the last `ms`. */
export const countFeedTests = (db: Db, ms: number) =>
  queryValue<number>(db)`
    select count(*)::int from feeds where state = 'test' and created_at > ${timeAgo(ms)}`;

type Timing = { schedule: ListSchedule | null; zone: string };

/** Activates a tested feed, in a transaction. Returns its supplier; undefined if the supplier or the test is gone. */
export async function activateFeed(
  db: Db,
  test: string,
  of: number | string,
  timing: Timing,
): Promise<number | undefined> {
  const supplier = typeof of === 'number' ? of : await supplierByName(db, of);
  if (!(await lockSupplier(db, supplier))) return undefined;
  const before = await findFeedOfSupplier(db, supplier);
  const tested = await hasRows(db)`
    select from feeds where id = ${test} and state = 'test' and preview is not null for update`;
  if (!tested) return undefined;
  if (before) {
    await sql`update feed_fetches set feed = ${test} where feed = ${before.id}`.execute(db);
    await removeFeed(db, before.id);
  }
  await db
    .updateTable('feeds')
    .set({
      ...{ supplier, state: 'on', preview: null, fetched_at: before?.fetched_at ?? null },
      ...{ sha256: before?.sha256 ?? null, rows_hash: before?.rows_hash ?? null },
      ...{ last_import: before?.last_import ?? null, found_at: before?.found_at ?? null },
    })
    .where('id', '=', test)
    .execute();
  await setFeedTiming(db, supplier, timing);
  return supplier;
}

async function supplierByName(db: Db, name: string): Promise<number> {
  await lockNewSuppliers(db);
  const id = (await findSupplier(db, { name }))?.id ?? (await insertSupplier(db, name));
  await confirmName(db, id);
  return id;
}

/**
 * SQL value: the next time of a schedule after `time`, or null if the schedule is null. For a local time that a clock
 * change skips or repeats, Postgres uses standard time.
 */
export const nextScheduledTime = (schedule: unknown, zone: unknown, time: unknown = now) => sql<Date | null>`(
  case ${schedule} ->> 'every' when 'hour' then ${time} + interval '1 hour' else (
    select min(shown at time zone ${zone}) from generate_series(0, 4) days, lateral (
      select date_trunc('day', ${time} at time zone ${zone}) + days * interval '1 day'
        + (${schedule} ->> 'at')::time as shown) of_day
    where shown at time zone ${zone} > ${time}
      and (${schedule} ->> 'every' = 'day' or extract(isodow from shown) < 6)) end)`;

/** SQL value: a feed's next scheduled time plus up to a minute at random, which spreads feeds due at the same time. */
const nextFetch = sql<Date | null>`${nextScheduledTime(sql.ref('schedule'), sql.ref('zone'))} + random() * interval '1 minute'`;

/** Sets the schedule and time zone of a supplier's feed. Returns false if the supplier has no active feed. */
export function setFeedTiming(db: Db, supplier: number, { schedule, zone }: Timing): Promise<boolean> {
  const timing = sql`${schedule && storableJson(schedule)}::jsonb`;
  return hasRows(db)`
    update feeds set schedule = ${timing}, zone = ${zone}, next_fetch_at = ${nextScheduledTime(timing, sql`${zone}::text`)}
    where supplier = ${supplier} and state = 'on' returning id`;
}

/** Removes a feed with its sealed address and sign-in. */
export async function removeFeed(db: Db, id: string): Promise<void> {
  await removeCredentials(db, serviceOf(id));
  await sql`delete from feeds where id = ${id}`.execute(db);
}

/** Requests a fetch of a supplier's feed now, in a transaction. Returns false if the supplier has no active feed. */
export async function requestFetch(db: Db, supplier: number): Promise<boolean> {
  const feed = await findRow<{ id: string }>(db)`
    update feeds set asked_at = ${now}, next_fetch_at = null
    where supplier = ${supplier} and state = 'on' returning id`;
  if (feed) await requestTask(db, 'fetch-list', feed.id);
  return feed !== undefined;
}

const fetchesShown = 10;

export const listFetches = (db: Db, feed: string) =>
  queryRows<FeedFetchRecord & { filename: string | null }>(db)`
    select feed_fetches.*, imports.filename from feed_fetches left join imports on imports.id = import_id
    where feed = ${feed} order by feed_fetches.id desc limit ${fetchesShown}`;

/**
 * Maximum numbers of concurrent fetches, which limit memory. Each host has one fetch at a time. A fetch longer than
 * `slowAfterMs` counts as slow and no longer as quick, so that slow servers do not delay other fetches.
 */
export const fetchLimits = { quick: 8, slow: 16, slowAfterMs: 60_000 };
/** Unsaved tests are removed after this time. */
const testKeptMs = 24 * 3_600_000;

const isDueNow = sql<boolean>`(state = 'on' and next_fetch_at <= clock_timestamp())`;
const isOldTest = sql<boolean>`(state = 'test' and created_at < ${timeAgo(testKeptMs)})`;
/** SQL table and condition: credentials of feeds that were deleted along with their supplier. */
const leftSecrets = sql`credentials where service like 'feed:%'
  and substr(service, 6) not in (select id::text from feeds)`;

export const hasFeedWork = (db: Db) =>
  hasRows(db)`
    select 1 from feeds where ${isDueNow} or ${isOldTest}
    union all select 1 from ${leftSecrets} limit 1`;

/** Lists the names of suppliers whose fetches have failed, or have been overdue, for longer than `ms`. */
export const listLateSuppliers = (db: Db, ms: number, namesMax: number) =>
  queryValues<string>(db)`
    select name from feeds join suppliers on suppliers.id = supplier
    where state = 'on' and schedule is not null
      and (trouble_since < ${timeAgo(ms)} or next_fetch_at < ${timeAgo(ms)}) order by lower(name) limit ${namesMax}`;

/** Returns the suppliers' names by feed id. */
export async function readFeedSupplierNames(db: Db): Promise<Map<string, string>> {
  const found = await queryRows<{ id: string; name: string }>(db)`
    select feeds.id, name from feeds join suppliers on suppliers.id = supplier`;
  return new Map(found.map(({ id, name }) => [id, name]));
}

/** Requests due fetches, longest overdue first, and removes old tests. `importsMax`: limit for automatic imports. */
export async function requestDueFetches(db: Db, importsMax: number, places = fetchLimits): Promise<void> {
  const { quick, slow, slowAfterMs } = places;
  await sql`delete from feeds where ${isOldTest}`.execute(db);
  await sql`delete from ${leftSecrets}`.execute(db);
  const due = await queryRows<{ id: string }>(db)`
    with open as (
      select subject, deferred_at > ${timeAgo(slowAfterMs)} as "isQuick" from chunks
      where task = 'fetch-list' and subject is not null and state <> 'done'
    ), next as (
      select distinct on (host) id, next_fetch_at from feeds
      where ${isDueNow} and host not in (select host from feeds where id::text in (select subject from open))
      order by host, next_fetch_at
    )
    update feeds set next_fetch_at = null where id in (
      select id from next order by next_fetch_at limit greatest(0, least(
        ${quick} - (select count(*) from open where "isQuick"), ${quick + slow} - (select count(*) from open),
        ${importsMax} - (select count(*) from imports where source <> 'upload' and status = 'processing'))))
    returning id`;
  for (const { id } of due) await requestTask(db, 'fetch-list', id);
}

/** Stores the result of testing an address. */
export async function recordFeedTest(db: Db, id: string, found: Pick<FeedRecord, 'preview' | 'host_key'>) {
  await sql`
    update feeds set preview = ${storableJson(found.preview)}::jsonb, host_key = ${found.host_key}
    where id = ${id} and state = 'test'`.execute(db);
}

type ListVersion = Pick<FeedRecord, 'etag' | 'last_modified' | 'sha256' | 'rows_hash'>;

/** Records a successful fetch. `found` is its result, or null if nothing is new since the last fetch. */
export async function recordFetch(
  db: Db,
  id: string,
  version: Partial<ListVersion>,
  found: { result: 'taken' | 'same'; import_id: string } | null,
): Promise<void> {
  await db
    .updateTable('feeds')
    .set({
      ...{ ...version, fetched_at: now, next_fetch_at: nextFetch, failures: 0, asked_at: null },
      ...{ trouble: null, trouble_kind: null, trouble_cause: null, trouble_since: null },
      ...(found && { found_at: now, last_import: found.import_id }),
    })
    .where('id', '=', id)
    .execute();
  if (found) await insertFetch(db, { feed: id, ...found });
}

/** The problem of a fetch. `waitMs` is the minimum time before the next request, or null for the default back-off. */
type FetchTrouble = { kind: FetchFailure; message: string; detail: string | null; waitMs: number | null };

/** Records a failed fetch or test. Lists the fetch only if its problem differs from that of the fetch before. */
export async function recordFailedFetch(
  db: Db,
  { id, state, trouble, failures }: Pick<FeedRecord, 'id' | 'state' | 'trouble' | 'failures'>,
  { kind, message: sentence, detail: cause, waitMs }: FetchTrouble,
): Promise<void> {
  const retryMs = waitMs ?? retryMsOf(kind, failures + 1);
  const retryAt = retryMs === null ? sql`null::timestamptz` : timeFromNow(retryMs);
  await db
    .updateTable('feeds')
    .set({
      ...{ trouble: sentence, trouble_kind: kind, trouble_cause: cause, asked_at: null },
      trouble_since: sql<Date>`coalesce(trouble_since, ${now})`,
      failures: sql<number>`failures + 1`,
      next_fetch_at: sql<Date | null>`least(${retryAt}, ${nextFetch})`,
      // The invalid reply may have had an ETag, so the next request must not be conditional.
      ...{ etag: null, last_modified: null },
    })
    .where('id', '=', id)
    .execute();
  if (state === 'on' && trouble !== sentence)
    await insertFetch(db, { feed: id, result: 'failed', sentence, cause });
}

const fetchesKept = 30;

async function insertFetch(db: Db, fetched: Insertable<FeedFetchesTable>): Promise<void> {
  await db.insertInto('feed_fetches').values(fetched).execute();
  await sql`
    delete from feed_fetches where feed = ${fetched.feed} and id not in (
      select id from feed_fetches where feed = ${fetched.feed}
      order by id desc limit ${fetchesKept})`.execute(db);
}

/** Full auto is offered for a feed after this many consecutive lists were pushed as planned. */
const agreedMin = 3;
/** The agreed lists must be from at least this many days, and the latest must not be older than `agreedMsMax`. */
const agreedDaysMin = 2;
const agreedMsMax = 45 * 24 * 3_600_000;

/** Counts the latest lists in a row pushed as planned since full auto was set. `isEnough`: full auto may be offered. */
export const countAgreedLists = (db: Db, { id, itself_at }: Pick<FeedRecord, 'id' | 'itself_at'>) =>
  queryRow<{ agreed: number; isEnough: boolean }>(db)`
    select count(*)::int as agreed, coalesce(count(*) >= ${agreedMin} and max(at) > ${timeAgo(agreedMsMax)}
      and count(distinct at::date) filter (where nth <= ${agreedMin}) >= ${agreedDaysMin}, false) as "isEnough"
    from (
      select at, row_number() over (order by id desc) as nth from feed_fetches
      where feed = ${id} and agreed = 'equal' and at > coalesce(${itself_at}::timestamptz, '-infinity')
        and id > coalesce((select max(id) from feed_fetches where feed = ${id} and agreed = 'different'), 0)
    ) equal`;

/** Sets whether full auto pushes a feed's lists. Returns false without a feed; 'not yet' if too few lists agreed. */
export async function setFeedFullAuto(
  db: Db,
  supplier: number,
  runsItself: boolean,
): Promise<boolean | 'not yet'> {
  const feed = await findFeedOfSupplier(db, supplier, sql`for update`);
  if (!feed) return false;
  if (runsItself && !(await countAgreedLists(db, feed)).isEnough) return 'not yet';
  await sql`
    update feeds set runs_itself = ${runsItself}, itself_at = ${now}, itself_ended = null
    where id = ${feed.id}`.execute(db);
  return true;
}
