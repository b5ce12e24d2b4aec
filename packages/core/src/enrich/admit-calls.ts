import type { SourceReply } from '@draftshelf/domain/enrich/sources';
import { type Kysely, sql } from 'kysely';
import { timeFromNow } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { changeRows, hasRows, queryRow, queryRows, queryValue } from '../connection/query-rows.ts';
import type { Schema, SourceRecord } from '../connection/schema.ts';
import {
  countFailure,
  getLatestArrival,
  getWindowFreeTime,
  isCallLost,
  isCountedWithin,
  lockService,
  pauseCalls,
  toLimitedSource,
  workerStoppedError,
} from './admission.ts';

export type AdmittedCall = { id: number; gtin: string };

/** The calls to make now, or the wait before the next calls. `off`: the source is off. `done`: no look-ups are open. */
export type Admission =
  | { kind: 'calls'; calls: AdmittedCall[] }
  | { kind: 'wait'; waitMs: number; because: WaitCause }
  | { kind: 'off' }
  | { kind: 'done' };

export type WaitCause = 'quota' | 'failure' | 'turn' | 'retry';

/** The longest pause in milliseconds that a response header may set. A wrong header must not stop look-ups forever. */
const blockMsMax = 24 * 60 * 60 * 1000;

/**
 * Admits up to `max` calls to a source for an import, and counts them before they are made. Until the reply to a call
 * is stored, the call counts from the latest time at which it can reach the source: `answerMsMax` after its admission.
 */
export async function admitCalls(
  db: Kysely<Schema>,
  ask: { source: string; baseUrl: string; importId: string; max: number; answerMsMax: number },
): Promise<Admission> {
  return db.transaction().execute(async (trx) => {
    const source = await lockSource(trx, ask);
    if (!source) return { kind: 'off' };
    await reclaim(trx, source, ask.answerMsMax);
    const open = await readOpen(trx, ask);
    if (!open.isOpen) return { kind: 'done' };
    const wait = (until: Date, because: WaitCause): Admission => ({
      kind: 'wait',
      waitMs: Math.max(1, until.getTime() - open.now.getTime()),
      because,
    });
    if (open.dueAt !== null && open.dueAt > open.now) {
      return wait(open.dueAt, open.asking ? 'turn' : 'retry');
    }
    const allowed = await allowedCalls(trx, source, open.now);
    if (allowed.wait) return wait(allowed.wait.until, allowed.wait.because);
    const calls = await take(trx, source, { ...ask, max: Math.min(ask.max, allowed.calls) });
    if (calls.length > 0) return { kind: 'calls', calls };
    return { kind: 'wait', waitMs: turnMs, because: 'turn' };
  });
}

export type SingleAdmission =
  | { kind: 'call'; call: AdmittedCall }
  | { kind: 'wait'; until: Date; because: 'quota' | 'failure' }
  | { kind: 'off' }
  | { kind: 'answered'; isKnown: boolean }
  | { kind: 'asking' };

/** Admits one call about a GTIN for a waiting user, even while a failed look-up of that GTIN waits for its retry. */
export async function admitSingleCall(
  db: Kysely<Schema>,
  ask: { source: string; baseUrl: string; gtin: string; answerMsMax: number },
): Promise<SingleAdmission> {
  return db.transaction().execute(async (trx) => {
    const source = await lockSource(trx, ask);
    if (!source) return { kind: 'off' };
    await reclaim(trx, source, ask.answerMsMax);
    const found = await queryRow<{ known: 'hit' | 'miss' | 'asking' | null; now: Date }>(trx)`
      select clock_timestamp() as now, (select state from lookups
        where source = ${source.name} and gtin = ${ask.gtin}
        and (state = 'asking' or (state in ('hit','miss') and (expires_at is null or expires_at > now())))) as known`;
    if (found.known === 'asking') return { kind: 'asking' };
    if (found.known !== null) return { kind: 'answered', isKnown: found.known === 'hit' };
    const allowed = await allowedCalls(trx, source, found.now);
    if (allowed.wait) return { kind: 'wait', ...allowed.wait };
    const call = await takeOne(trx, source, ask);
    return { kind: 'call', call };
  });
}

/** Milliseconds to wait while other workers, or sources earlier in the order, handle the due look-ups. */
const turnMs = 2_000;

type Ask = { source: string; baseUrl: string; importId?: string };

/** SQL condition on `sources`: the source is on, and look-ups are on in the settings and for the import. */
function switchedOn({ source, baseUrl, importId }: Ask) {
  const isImportOn =
    importId === undefined
      ? sql`true`
      : sql`exists (select 1 from imports where id = ${importId} and enable_upc)`;
  return sql<boolean>`name = ${source} and base_url = ${baseUrl} and enabled and ${isImportOn}
    and coalesce((select (value->>'upcLookup')::boolean from settings), true)`;
}

const lockSource = (db: Db, ask: Ask): Promise<SourceRecord | undefined> =>
  lockService<SourceRecord>(db, toLimitedSource(ask.source), switchedOn(ask));

/** Returns whether calls to a source for an import are switched on now. */
export const isSourceOn = (db: Db, ask: Ask) => hasRows(db)`select 1 from sources where ${switchedOn(ask)}`;

/** Requeues look-ups of killed workers, due after the usual retry pause. Calls made for these look-ups stay counted. */
async function reclaim(db: Db, source: SourceRecord, answerMsMax: number): Promise<void> {
  await sql`
    update lookups set state = 'wanted', attempts = attempts + 1, asked_at = null,
      error = ${workerStoppedError}, not_before = ${timeFromNow(source.retry_ms)}
    where source = ${source.name} and ${isCallLost(answerMsMax)}`.execute(db);
}

/** Reads whether an import has open look-ups and when the next look-up is due. A null `dueAt` means now. */
async function readOpen(db: Db, { source, importId }: { source: string; importId: string }) {
  const some = sql`select 1 from lookups where source = ${source} and ${wantedBy(importId)} and state`;
  const open = await queryRow<{ wanted: boolean; asking: boolean; due: boolean; now: Date }>(db)`
    select exists (${some} = 'wanted') as wanted, exists (${some} = 'asking') as asking,
      exists (${some} = 'wanted' and (not_before is null or not_before <= clock_timestamp())) as due,
      clock_timestamp() as now`;
  const { wanted, asking, due, now } = open;
  if (due || !wanted) {
    const turn = new Date(now.getTime() + turnMs);
    return { isOpen: wanted || asking, asking, dueAt: due ? null : turn, now };
  }
  const dueAt = await queryValue<Date | null>(db)`
    select min(not_before) as at from lookups
    where source = ${source} and state = 'wanted' and ${wantedBy(importId)}`;
  return { isOpen: true, asking, dueAt, now };
}

const wantedBy = (importId: string) => sql`exists (
  select 1 from product_lacks join imports on imports.id = product_lacks.import_id and imports.rows_run = product_lacks.run
  where product_lacks.gtin = lookups.gtin and product_lacks.import_id = ${importId})`;

type AllowedCalls = { calls: number; wait: null } | { wait: { until: Date; because: 'quota' | 'failure' } };

async function allowedCalls(db: Db, source: SourceRecord, now: Date): Promise<AllowedCalls> {
  if (source.blocked_until !== null && source.blocked_until > now) {
    const because = source.blocked_because === 'failure' ? 'failure' : 'quota';
    return { wait: { until: source.blocked_until, because } };
  }
  const { free, freeAt } = await readFree(db, source);
  if (free > 0) return { calls: free, wait: null };
  await pauseCalls(db, toLimitedSource(source.name), freeAt, 'quota');
  return { wait: { until: freeAt, because: 'quota' } };
}

async function readFree(db: Db, source: SourceRecord): Promise<{ free: number; freeAt: Date }> {
  await changeRows(db)`delete from source_calls where id in (
    select id from source_calls where source = ${source.name} and not ${isCountedWithin(source.day_ms)} limit 1000)`;
  const used = await queryRow<{
    window: number;
    day: number;
    window_free: Date | null;
    day_free: Date | null;
    now: Date;
  }>(db)`
    select count(*) filter (where ${isCountedWithin(source.window_ms)})::int as window, count(*)::int as day,
      ${getWindowFreeTime(source.window_ms)} as window_free, ${getWindowFreeTime(source.day_ms)} as day_free,
      clock_timestamp() as now
    from source_calls where source = ${source.name} and ${isCountedWithin(source.day_ms)}`;
  const limits = [
    { free: source.per_window - used.window, at: used.window_free },
    { free: source.per_day - used.day, at: used.day_free },
  ];
  if (source.calls_left !== null && source.calls_left_until !== null && source.calls_left_until > used.now) {
    limits.push({ free: source.calls_left, at: source.calls_left_until });
  }
  const least = limits.reduce((a, b) => (b.free < a.free ? b : a));
  const full = limits.filter(({ free }) => free <= 0).map(({ at }) => at?.getTime() ?? 0);
  // Adds 5 ms, so that at `freeAt` the oldest call has surely left its window.
  return { free: least.free, freeAt: new Date(Math.max(used.now.getTime(), ...full) + 5) };
}

/** Due look-ups examined per admission. If earlier sources can still answer all of these, the admission waits. */
const candidatesMax = 2_000;

/** Sets the next due look-ups to `asking` and counts a call for each. Skips GTINs that an earlier source can answer. */
const take = (db: Db, source: SourceRecord, ask: { importId: string; max: number; answerMsMax: number }) =>
  queryRows<AdmittedCall>(db)`
    with due as (
      select gtin from lookups
      where source = ${source.name} and state = 'wanted' and gtin in (
          select gtin from lookups
          where source = ${source.name} and state = 'wanted' and (not_before is null or not_before <= clock_timestamp())
            and ${wantedBy(ask.importId)}
          order by gtin limit ${candidatesMax})
        and not exists (
          select 1 from lookups earlier join sources before on before.name = earlier.source
          where earlier.gtin = lookups.gtin and before.position < ${source.position} and before.enabled
            and earlier.state in ('wanted','asking')
            and (earlier.not_before is null or earlier.not_before <= clock_timestamp())
            and (before.blocked_until is null or before.blocked_until <= clock_timestamp()))
      order by gtin limit ${ask.max} for update of lookups skip locked
    ), asked as (
      update lookups set state = 'asking', asked_at = clock_timestamp(), not_before = null
      from due where lookups.source = ${source.name} and lookups.gtin = due.gtin
      returning lookups.gtin
    ), ${countAsked(source, ask)}
    select id, gtin from counted order by gtin`;

/** SQL: counts a call for each GTIN of the CTE `asked`. */
const countAsked = (source: SourceRecord, { answerMsMax }: { answerMsMax: number }) => sql`
  counted as (
    insert into source_calls (source, gtin, counts_from)
    select ${source.name}, gtin, ${getLatestArrival(answerMsMax)} from asked
    returning id, gtin
  ), headers as (
    update sources set calls_left = calls_left - (select count(*)::int from counted)
    where name = ${source.name} and calls_left is not null
  )`;

/** Sets the look-up of one GTIN to `asking`, whether it was queued or not, and counts a call for it. */
const takeOne = (db: Db, source: SourceRecord, ask: { gtin: string; answerMsMax: number }) =>
  queryRow<AdmittedCall>(db)`
    with asked as (
      insert into lookups (gtin, source, state, asked_at) values (${ask.gtin}, ${source.name}, 'asking', clock_timestamp())
      on conflict (gtin, source) do update set state = 'asking', asked_at = clock_timestamp(), not_before = null,
        attempts = 0, expires_at = null, error = null
      returning gtin
    ), ${countAsked(source, ask)}
    select id, gtin from counted`;

/** `left`: calls left according to response headers, used only to lower our own count. Null without such headers. */
export type CallReply = { reply: SourceReply; left: { calls: number; until: Date } | null };

const quotaPauseMs = 60_000;

/** Updates a source after a reply: its remaining calls, its pause and its count of failures. */
export async function updateSourceByReply(
  db: Db,
  source: string,
  call: AdmittedCall,
  { reply, left }: CallReply,
): Promise<void> {
  await sql`update source_calls set counts_from = clock_timestamp() where id = ${call.id}`.execute(db);
  if (left) {
    const until = inAtMost(left.until);
    await sql`
      update sources set calls_left_until = ${until}, calls_left = case
        when calls_left is not null and calls_left_until > clock_timestamp() then least(calls_left, ${left.calls})
        else ${left.calls} end
      where name = ${source}`.execute(db);
  }
  if (reply.kind === 'quota') {
    const until = reply.until === null ? timeFromNow(quotaPauseMs) : inAtMost(reply.until);
    await pauseCalls(db, toLimitedSource(source), until, 'quota');
  }
  if (reply.kind === 'failure') return countFailure(db, toLimitedSource(source));
  await sql`update sources set failures = 0 where name = ${source} and failures > 0`.execute(db);
}

/** Converts a time from a source's headers to the clock of Postgres, at most `blockMsMax` from now. */
const inAtMost = (until: Date) => timeFromNow(Math.min(until.getTime() - Date.now(), blockMsMax));
