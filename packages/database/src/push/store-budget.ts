import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/** A store's plan until its first report: Standard, 2,000 points that refill at 100 per second. */
const planUnknown = { maximum: 2000, restoreRate: 100 };

/** Points that workers leave for people; the api may take them. */
export const pointsReservedForApi = 50;

export type Reservation = { points: number; admitted: number };

/**
 * Takes points from the store's budget if it has enough, or returns how long to wait. It is one statement outside any
 * other transaction and uses Postgres' clock, so all workers share the budget. Throws when asked for more than the
 * store's bucket holds, because that could never be granted.
 */
export async function reservePoints(
  db: Db,
  shop: string,
  ask: { points: number; keep: number },
): Promise<{ granted: true; reservation: Reservation } | { granted: false; waitMs: number }> {
  await db
    .insertInto('store_budgets')
    .values({
      shop,
      available: planUnknown.maximum,
      maximum: planUnknown.maximum,
      restore_rate: planUnknown.restoreRate,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { rows } = await sql<{
    granted: boolean;
    admitted: number;
    missing: number;
    restore_rate: number;
    maximum: number;
  }>`
    with now_available as (
      select shop, least(maximum, available + restore_rate * extract(epoch from clock_timestamp() - measured_at)) as points
      from store_budgets where shop = ${shop} for update
    ), taken as (
      update store_budgets set available = now_available.points - ${ask.points}::float8, measured_at = clock_timestamp(),
        admitted = admitted + ${ask.points}::float8
      from now_available
      where store_budgets.shop = now_available.shop and now_available.points - ${ask.points}::float8 >= ${ask.keep}::float8
      returning store_budgets.admitted
    )
    select exists (select 1 from taken) as granted, coalesce((select admitted from taken), 0) as admitted,
      ${ask.points}::float8 + ${ask.keep}::float8 - now_available.points as missing, restore_rate, maximum
    from store_budgets join now_available using (shop)`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('The store has no budget row');
  if (ask.points + ask.keep > row.maximum) {
    throw new Error(`${ask.points} points were requested, but the store's budget holds only ${row.maximum}`);
  }
  if (row.granted) return { granted: true, reservation: { points: ask.points, admitted: row.admitted } };
  return { granted: false, waitMs: Math.ceil((Math.max(0, row.missing) / row.restore_rate) * 1000) + 1 };
}

/**
 * Sets the budget by the store's own report: the points it has available, minus those admitted after this request's
 * reservation, because the store may not have counted these yet.
 */
async function reportBudget(db: Db, shop: string, report: Report, reservation: Reservation): Promise<void> {
  await sql`
    update store_budgets set maximum = ${report.maximumAvailable}, restore_rate = ${report.restoreRate},
      available = ${report.currentlyAvailable}::float8 - (admitted - ${reservation.admitted}::float8),
      measured_at = clock_timestamp()
    where shop = ${shop}`.execute(db);
}

/** What the store reports about its budget with every response. */
type Report = { currentlyAvailable: number; maximumAvailable: number; restoreRate: number };

/** The shared budget of a store, in the form that the store's client takes. */
export type StoreBudget = {
  /** Waits until the points are available; rejects with the signal's reason when it is aborted. */
  reserve(points: number, signal?: AbortSignal): Promise<Reservation>;
  /** Once per reservation: the store's report, or null when no response came and the points count as spent. */
  report(report: Report | null, reservation: { points: number }): Promise<void>;
};

/**
 * The budget of the store at `storeUrl`. `keep`: points to leave for others, 0 for a person who waits and
 * `pointsReservedForApi` for a worker.
 */
export function storeBudget(db: Db, storeUrl: string, keep: number): StoreBudget {
  const shop = new URL(storeUrl).host;
  return {
    async reserve(points, signal) {
      for (;;) {
        signal?.throwIfAborted();
        const answer = await reservePoints(db, shop, { points, keep });
        if (answer.granted) return answer.reservation;
        await pause(answer.waitMs, undefined, { signal });
      }
    },
    async report(report, reservation) {
      if (report) await reportBudget(db, shop, report, reservation as Reservation);
    },
  };
}
