import type { ListTrouble } from '@draftshelf/domain/suppliers/fetched-list';
import type { ListAddress, ListSecret } from '@draftshelf/domain/suppliers/list-address';
import type { ListSchedule } from '@draftshelf/domain/suppliers/list-schedule';
import { sql } from 'kysely';
import { readCredential, removeCredentials, saveCredential } from '../access/credentials.ts';
import type { SealingKeys } from '../access/sealing.ts';
import { ago } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { findRow, hasRows, queryRows, queryValue, queryValues } from '../connection/query-rows.ts';
import type { FeedFetchRecord, FeedRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { requestTask } from '../work/background-tasks.ts';
import { findSupplier, insertSupplier, lockNewSuppliers, lockSupplier, nameByOperator } from './suppliers.ts';

const serviceOf = (id: string) => `feed:${id}`;

export const findFeed = (db: Db, id: string) => findRow<FeedRecord>(db)`select * from feeds where id = ${id}`;

export const findFeedOf = (db: Db, supplier: number) =>
  findRow<FeedRecord>(db)`select * from feeds where supplier = ${supplier} and state = 'on'`;

/** The address and the sign-in of a feed; undefined if they cannot be read with these keys. */
export async function readFeedSecret(
  db: Db,
  keys: SealingKeys | null,
  id: string,
): Promise<ListSecret | undefined> {
  return (await readCredential(db, keys, serviceOf(id)))?.value as ListSecret | undefined;
}

/** Begins the test of an address, in the caller's transaction. Returns its id. */
export async function beginTest(
  db: Db,
  keys: SealingKeys,
  {
    address,
    secret,
    supplier,
    hostKey,
  }: { address: ListAddress; secret: ListSecret; supplier: number | null; hostKey: string | null },
): Promise<string> {
  const { kind, shown, host } = address;
  const { id } = await db
    .insertInto('feeds')
    .values({ supplier, kind, shown, host, sign_in: secret.signIn.kind, host_key: hostKey })
    .returning('id')
    .executeTakeFirstOrThrow();
  await saveCredential(db, keys, { service: serviceOf(id), value: secret, shop: null, origin: 'operator' });
  await requestTask(db, 'fetch-list', id);
  return id;
}

/** Tests begun within the last `ms`. */
export const countTests = (db: Db, ms: number) =>
  queryValue<number>(db)`
    select count(*)::int from feeds where state = 'test' and created_at > ${ago(ms)}`;

type Timing = { schedule: ListSchedule | null; zone: string; nextAt: Date | null };

/**
 * Makes a tested address that of its supplier, in place of an earlier one, whose last list is still known. Returns
 * whether there was such a test. In a transaction.
 */
export async function keepTested(db: Db, test: string, supplier: number, timing: Timing): Promise<boolean> {
  if (!(await lockSupplier(db, supplier))) return false;
  const before = await findFeedOf(db, supplier);
  const tested = await hasRows(db)`
    select 1 from feeds where id = ${test} and state = 'test' and preview is not null for update`;
  if (!tested) return false;
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
  await setTiming(db, supplier, timing);
  return true;
}

/** Like keepTested, for the supplier with a name, which may be new. Returns it; undefined: there was no such test. */
export async function addSupplierOf(
  db: Db,
  test: string,
  name: string,
  timing: Timing,
): Promise<number | undefined> {
  await lockNewSuppliers(db);
  const known = await findSupplier(db, { name });
  const supplier = known?.id ?? (await insertSupplier(db, name, true));
  await nameByOperator(db, supplier);
  return (await keepTested(db, test, supplier, timing)) ? supplier : undefined;
}

/** Returns whether the supplier has an address. */
export const setTiming = (db: Db, supplier: number, { schedule, zone, nextAt }: Timing) =>
  hasRows(db)`
    update feeds set schedule = ${schedule && storableJson(schedule)}::jsonb, zone = ${zone}, next_fetch_at = ${nextAt}
    where supplier = ${supplier} and state = 'on' returning id`;

/** Removes a feed and what was sealed for it. */
export async function removeFeed(db: Db, id: string): Promise<void> {
  await removeCredentials(db, serviceOf(id));
  await sql`delete from feeds where id = ${id}`.execute(db);
}

/** Fetches the list of a supplier now. Returns whether it has an address. In a transaction. */
export async function requestFetch(db: Db, supplier: number): Promise<boolean> {
  const feed = await findRow<{ id: string }>(db)`
    update feeds set asked_at = clock_timestamp(), next_fetch_at = null
    where supplier = ${supplier} and state = 'on' returning id`;
  if (feed) await requestTask(db, 'fetch-list', feed.id);
  return feed !== undefined;
}

const fetchesShown = 10;

export const listFetches = (db: Db, feed: string) =>
  queryRows<FeedFetchRecord & { filename: string | null }>(db)`
    select feed_fetches.*, imports.filename from feed_fetches left join imports on imports.id = import_id
    where feed = ${feed} order by feed_fetches.id desc limit ${fetchesShown}`;

/** Lists fetched at a time, so that many do not use up the memory; a host is asked for one at a time. */
const fetchesAtOnce = 8;
/** Tests that were not saved are removed after this time. */
const testKeptMs = 24 * 3_600_000;

const isDueNow = sql<boolean>`(state = 'on' and next_fetch_at <= clock_timestamp())`;
const isOldTest = sql<boolean>`(state = 'test' and created_at < ${ago(testKeptMs)})`;
/** A supplier that is gone takes its feed along, but not what was sealed for it. */
const leftSecrets = sql`credentials where service like 'feed:%'
  and substr(service, 6) not in (select id::text from feeds)`;

export const hasFeedWork = (db: Db) =>
  hasRows(db)`
    select 1 from feeds where ${isDueNow} or ${isOldTest}
    union all select 1 from ${leftSecrets} limit 1`;

/** Names suppliers whose lists could not be fetched for `ms`, or that nobody has fetched although they were due. */
export const listLateSuppliers = (db: Db, ms: number, namesMax: number) =>
  queryValues<string>(db)`
    select name from feeds join suppliers on suppliers.id = supplier
    where state = 'on' and schedule is not null
      and (trouble_since < ${ago(ms)} or next_fetch_at < ${ago(ms)}) order by lower(name) limit ${namesMax}`;

/** The names of the suppliers of feeds, by feed. */
export async function readFeedNames(db: Db): Promise<Map<string, string>> {
  const found = await queryRows<{ id: string; name: string }>(db)`
    select feeds.id, name from feeds join suppliers on suppliers.id = supplier`;
  return new Map(found.map(({ id, name }) => [id, name]));
}

/** Requests the fetches that are due, longest due first, and removes old tests. `importsMax`: see folderImportsMax. */
export async function dispatchFeeds(db: Db, importsMax: number): Promise<void> {
  await sql`delete from feeds where ${isOldTest}`.execute(db);
  await sql`delete from ${leftSecrets}`.execute(db);
  const due = await queryRows<{ id: string }>(db)`
    with open as (
      select subject from chunks where task = 'fetch-list' and subject is not null and state <> 'done'
    ), next as (
      select distinct on (host) id, next_fetch_at from feeds
      where ${isDueNow} and host not in (select host from feeds where id::text in (select subject from open))
      order by host, next_fetch_at
    )
    update feeds set next_fetch_at = null where id in (
      select id from next order by next_fetch_at limit greatest(0, least(
        ${fetchesAtOnce} - (select count(*) from open),
        ${importsMax} - (select count(*) from imports where source <> 'upload' and status = 'processing'))))
    returning id`;
  for (const { id } of due) await requestTask(db, 'fetch-list', id);
}

/** Stores what the test of an address has found, or its trouble. */
export async function endTest(
  db: Db,
  id: string,
  result: { preview: FeedRecord['preview']; hostKey?: string | null; trouble: FetchTrouble | null },
): Promise<void> {
  const { preview, hostKey, trouble } = result;
  await db
    .updateTable('feeds')
    .set({
      preview: preview && storableJson(preview),
      ...(hostKey && { host_key: hostKey }),
      ...(trouble && { trouble: trouble.sentence, trouble_kind: trouble.kind, trouble_cause: trouble.cause }),
    })
    .where('id', '=', id)
    .where('state', '=', 'test')
    .execute();
}

export type FetchTrouble = { kind: ListTrouble; sentence: string; cause: string | null };

const noTrouble = {
  ...{ trouble: null, trouble_kind: null, trouble_cause: null, trouble_since: null },
  ...{ failures: 0, asked_at: null },
};

type Fetched = Pick<FeedFetchRecord, 'result' | 'import_id' | 'bytes' | 'sentence' | 'cause'>;

/** Ends a fetch without trouble. `fetched`: a line about it; null: nothing is new since the last one. */
export async function endFetch(
  db: Db,
  id: string,
  set: Partial<Pick<FeedRecord, 'etag' | 'last_modified' | 'sha256' | 'rows_hash' | 'last_import'>> & {
    nextAt: Date | null;
  },
  fetched: Fetched | null,
): Promise<void> {
  const { nextAt, ...version } = set;
  const now = sql<Date>`clock_timestamp()`;
  await db
    .updateTable('feeds')
    .set({
      ...{ ...noTrouble, ...version, fetched_at: now, next_fetch_at: nextAt },
      ...(fetched && { found_at: now }),
    })
    .where('id', '=', id)
    .execute();
  if (fetched) await insertFetch(db, id, fetched);
}

/** Ends a fetch with trouble. A line is added for the first of the same. */
export async function endFailedFetch(
  db: Db,
  id: string,
  { kind, sentence, cause }: FetchTrouble,
  nextAt: Date | null,
): Promise<void> {
  const before = await findRow<Pick<FeedRecord, 'trouble'>>(db)`
    select trouble from feeds where id = ${id} for update`;
  if (!before) return;
  await db
    .updateTable('feeds')
    .set({
      ...{ trouble: sentence, trouble_kind: kind, trouble_cause: cause, next_fetch_at: nextAt },
      trouble_since: sql<Date>`coalesce(trouble_since, clock_timestamp())`,
      failures: sql<number>`failures + 1`,
      asked_at: null,
      // An answer that is none may have a validator: the next one must come whole.
      ...{ etag: null, last_modified: null },
    })
    .where('id', '=', id)
    .execute();
  if (before.trouble !== sentence)
    await insertFetch(db, id, { result: 'failed', import_id: null, bytes: null, sentence, cause });
}

const fetchesKept = 30;

async function insertFetch(db: Db, feed: string, fetched: Fetched): Promise<void> {
  await db
    .insertInto('feed_fetches')
    .values({ feed, ...fetched })
    .execute();
  await sql`
    delete from feed_fetches where feed = ${feed} and id not in (
      select id from feed_fetches where feed = ${feed} order by id desc limit ${fetchesKept})`.execute(db);
}

/** Lists in a row that must have been pushed as planned before full auto is offered for an address. */
export const agreedMin = 3;
/** They are of so many different days at least, and the last one is not older than this. */
const agreedDaysMin = 2;
const agreedDaysMax = 45;

/** Counts the last lists in a row that were pushed as planned, since full auto ended. isEnough: it may be offered. */
export async function readAgreement(
  db: Db,
  { id, itself_at }: Pick<FeedRecord, 'id' | 'itself_at'>,
): Promise<{ agreed: number; isEnough: boolean }> {
  const pushed = await queryRows<{ agreed: string; day: string; age: number }>(db)`
    select agreed, at::date::text as day, (extract(epoch from now() - at) / 86400)::float8 as age from feed_fetches
    where feed = ${id} and agreed in ('equal', 'different') and (${itself_at}::timestamptz is null or at > ${itself_at})
    order by id desc limit ${fetchesKept}`;
  const at = pushed.findIndex(({ agreed }) => agreed !== 'equal');
  const equal = at < 0 ? pushed : pushed.slice(0, at);
  const days = new Set(equal.slice(0, agreedMin).map(({ day }) => day)).size;
  const isRecent = (equal[0]?.age ?? Number.POSITIVE_INFINITY) <= agreedDaysMax;
  return {
    agreed: equal.length,
    isEnough: equal.length >= agreedMin && days >= agreedDaysMin && isRecent,
  };
}

/** Sets whether full auto pushes the lists of a supplier's address. false: not yet; undefined: it has none. */
export async function setRunsItself(
  db: Db,
  supplier: number,
  runsItself: boolean,
): Promise<boolean | undefined> {
  const feed = await findRow<FeedRecord>(db)`
    select * from feeds where supplier = ${supplier} and state = 'on' for update`;
  if (!feed) return undefined;
  if (runsItself && !(await readAgreement(db, feed)).isEnough) return false;
  await sql`
    update feeds set runs_itself = ${runsItself}, itself_at = clock_timestamp(), itself_ended = null
    where id = ${feed.id}`.execute(db);
  return true;
}
