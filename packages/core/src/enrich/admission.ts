import { type RawBuilder, sql } from 'kysely';
import { clockDriftMsMax, moveTimeBack, timeAgo, timeFromNow } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { findRow, queryRows } from '../connection/query-rows.ts';
import type { AiServiceRecord, SourceRecord } from '../connection/schema.ts';

/** The tables of a rate-limited service, with SQL conditions for its rows. `waits`: columns with the ends of pauses. */
export type LimitedService = {
  [part in 'service' | 'calls' | 'asks']: { table: string; isOf: RawBuilder<boolean> };
} & { waits: readonly string[] };

export const toLimitedSource = (name: string): LimitedService => ({
  service: { table: 'sources', isOf: sql`name = ${name}` },
  calls: { table: 'source_calls', isOf: sql`source = ${name}` },
  asks: { table: 'lookups', isOf: sql`source = ${name}` },
  waits: ['blocked_until', 'calls_left_until'],
});

export const aiService: LimitedService = {
  service: { table: 'ai_service', isOf: sql`true` },
  calls: { table: 'ai_calls', isOf: sql`counts_from > clock_timestamp()` },
  asks: { table: 'ai_asks', isOf: sql`true` },
  waits: ['blocked_until'],
};

/**
 * Locks and returns the row of a service. Returns undefined if the row does not meet the condition. The lock
 * serializes admissions. Count calls in a separate, later statement: a statement that waits for the lock reads a
 * snapshot from before the wait. If the clock of Postgres was set back, moves stored future times back by the same
 * amount, because otherwise pauses and counted calls would last too long.
 */
export async function lockService<Row extends SourceRecord | AiServiceRecord>(
  db: Db,
  limited: LimitedService,
  condition: RawBuilder<boolean> = sql`true`,
): Promise<Row | undefined> {
  const { table, isOf } = limited.service;
  const service = await findRow<Row & { ahead_ms: number }>(db)`
    select *, (extract(epoch from admitted_at - clock_timestamp()) * 1000)::float8 as ahead_ms
    from ${sql.table(table)} where ${isOf} and ${condition} for update`;
  if (!service || Math.abs(service.ahead_ms) <= clockDriftMsMax) return service;
  if (service.ahead_ms > 0) await moveBack(db, limited, service.ahead_ms);
  const moved = await queryRows<Row>(db)`
    update ${sql.table(table)} set admitted_at = clock_timestamp() where ${isOf} returning *`;
  return moved[0];
}

async function moveBack(db: Db, { service, calls, asks, waits }: LimitedService, backMs: number) {
  const move = (...columns: string[]) => sql.join(columns.map((column) => moveTimeBack(column, backMs)));
  await sql`update ${sql.table(service.table)} set ${move(...waits)} where ${service.isOf}`.execute(db);
  await sql`
    update ${sql.table(asks.table)} set ${move('not_before', 'asked_at')}
    where ${asks.isOf} and state in ('wanted', 'asking')`.execute(db);
  await sql`update ${sql.table(calls.table)} set ${move('counts_from')} where ${calls.isOf}`.execute(db);
}

/** SQL value: the latest time at which a call can reach the service. Limits count the call from this time. */
export const getLatestArrival = (answerMsMax: number): RawBuilder<Date> => timeFromNow(answerMsMax);

export const isCountedWithin = (ms: number): RawBuilder<boolean> =>
  sql<boolean>`counts_from > ${timeAgo(ms)}`;

/** SQL value: the time at which the oldest call of a sliding window leaves the window. Null if the window is empty. */
export const getWindowFreeTime = (ms: number): RawBuilder<Date | null> =>
  sql`min(counts_from) filter (where ${isCountedWithin(ms)}) + ${ms} * interval '1 millisecond'`;

export const workerStoppedError = 'The worker was stopped before the answer came.';

/** SQL condition: the row has been in state `asking` for so long that its worker must have been killed. */
export const isCallLost = (answerMsMax: number): RawBuilder<boolean> =>
  sql<boolean>`(state = 'asking' and asked_at < ${timeAgo(2 * answerMsMax)})`;

/** Pauses calls to a service until a time, unless a longer pause is stored. */
export async function pauseCalls(
  db: Db,
  { service: { table, isOf } }: LimitedService,
  until: Date | RawBuilder<Date>,
  because: 'quota' | 'failure',
): Promise<void> {
  await sql`
    update ${sql.table(table)} set blocked_until = ${until}, blocked_because = ${because}
    where ${isOf} and (blocked_until is null or blocked_until < ${until})`.execute(db);
}

/** Consecutive failures after which calls pause. Each further failure doubles the pause. */
const failuresMax = 5;
const breakMs = 30_000;
const breakMsMax = 10 * 60_000;

/** Counts a failed call. Five in a row pause calls for 30 s; each further failure doubles the pause, up to 10 min. */
export async function countFailure(db: Db, { service: { table, isOf } }: LimitedService): Promise<void> {
  const pauseMs = sql`least(${breakMsMax}, ${breakMs} * power(2, least(failures + 1 - ${failuresMax}, 10)))`;
  await sql`
    update ${sql.table(table)} set failures = failures + 1,
      blocked_because = case when failures + 1 >= ${failuresMax} then 'failure' else blocked_because end,
      blocked_until = case when failures + 1 >= ${failuresMax}
        then greatest(blocked_until, ${timeFromNow(pauseMs)}) else blocked_until end
    where ${isOf}`.execute(db);
}
