import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';
import { queryValue } from './query-rows.ts';

/** Reads the clock of Postgres. */
export const readClock = (db: Db) => queryValue<Date>(db)`select clock_timestamp() as now`;

/** SQL value: the time `ms` milliseconds ago, by the clock of Postgres. */
export const timeAgo = (ms: number) =>
  sql<Date>`clock_timestamp() - ${sql.lit(ms)} * interval '1 millisecond'`;

/** SQL value: the time `ms` milliseconds from now, by the clock of Postgres. */
export const timeFromNow = (ms: number | RawBuilder<unknown>) =>
  sql<Date>`clock_timestamp() + ${ms} * interval '1 millisecond'`;

/** Tolerance in milliseconds: clocks of processors, or of a primary and its standby, differ by less than this. */
export const clockDriftMsMax = 1_000;

/** SQL condition: a stored time is in the future, because the clock was set back after it was stored. */
export const isInFuture = (time: RawBuilder<unknown>) =>
  sql<boolean>`${time} > clock_timestamp() + ${sql.lit(clockDriftMsMax)} * interval '1 millisecond'`;

/** SQL condition: a stored time is at most `ms` old. False if the time is in the future, because its age is unknown. */
export const isRecent = (time: RawBuilder<unknown>, ms: number) =>
  sql<boolean>`(${time} > ${timeAgo(ms)} and not ${isInFuture(time)})`;

/** SQL assignment: subtracts `backMs`, by which the clock was set back, from a time that is in the future. */
export const moveTimeBack = (column: string, backMs: number) => {
  const time = sql.ref(column);
  return sql`${time} = case when ${time} > clock_timestamp()
    then ${time} - ${backMs} * interval '1 millisecond' else ${time} end`;
};

/**
 * SQL condition: a wait from `begun` to `until` has ended. If `begun` is in the future, the clock was set back and the
 * wait ends at once, because a try that is too early does no harm.
 */
export const isWaitOver = (until: RawBuilder<unknown>, begun: RawBuilder<unknown>) =>
  sql<boolean>`(${until} is null or ${until} <= clock_timestamp() or coalesce(${isInFuture(begun)}, false))`;
