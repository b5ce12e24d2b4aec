import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';
import { queryValue } from './query-rows.ts';

/** Reads the clock of Postgres. */
export const readClock = (db: Db) => queryValue<Date>(db)`select clock_timestamp() as now`;

/** SQL value: this long before now, by the clock of Postgres. */
export const ago = (ms: number) => sql<Date>`clock_timestamp() - ${sql.lit(ms)} * interval '1 millisecond'`;

/** SQL value: this long after now, by the clock of Postgres. */
export const fromNow = (ms: number | RawBuilder<unknown>) =>
  sql<Date>`clock_timestamp() + ${ms} * interval '1 millisecond'`;

/** Clocks of one machine's processors, and of a standby that took over, differ by less. */
export const aheadMsMax = 1_000;

/** SQL condition: a stored time is in the future, so the clock was set back since. */
export const isAhead = (time: RawBuilder<unknown>) =>
  sql<boolean>`${time} > clock_timestamp() + ${sql.lit(aheadMsMax)} * interval '1 millisecond'`;

/** SQL condition: a stored time is at most this old. A time in the future is not: its age is unknown. */
export const isWithin = (time: RawBuilder<unknown>, ms: number) =>
  sql<boolean>`(${time} > ${ago(ms)} and not ${isAhead(time)})`;

/** SQL assignment: moves a future time back with the clock, which was set back by `backMs`; past times stay. */
export const movedBack = (column: string, backMs: number) => {
  const time = sql.ref(column);
  return sql`${time} = case when ${time} > clock_timestamp()
    then ${time} - ${backMs} * interval '1 millisecond' else ${time} end`;
};

/**
 * SQL condition: a wait that began at `begun` has ended. One that began in the future ends at once: the clock was set
 * back, and trying too early does no harm.
 */
export const hasWaited = (until: RawBuilder<unknown>, begun: RawBuilder<unknown>) =>
  sql<boolean>`(${until} is null or ${until} <= clock_timestamp() or coalesce(${isAhead(begun)}, false))`;
