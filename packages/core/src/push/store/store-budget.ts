import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { findRow } from '../../connection/query-rows.ts';

/** Limits assumed until a store's first report: the Standard plan, with 2,000 points that refill at 100 per second. */
const planUnknown = { maximum: 2000, restoreRate: 100 };

/** Points that workers leave for requests of the api, because people wait for these requests. */
export const pointsReservedForApi = 50;

/** Points that plans leave for pushes. The smallest bucket of a store holds 1,000 points. */
export const pointsReservedForPushes = 500;

export type Reservation = {
  points: number;
  /** Points admitted so far, including this reservation. Reservations and reports are ordered by this number. */
  admitted: number;
};

/**
 * Takes points from a store's budget, which all workers share. If there are too few points, `reservation` is null and
 * `waitMs` is the time until there may be enough. Throws if the bucket is smaller. Runs in its own transaction, whose
 * commit does not wait for the disk: after a crash, the store's report corrects the budget.
 */
export async function reservePoints(
  db: Db,
  shop: string,
  { points, keep }: { points: number; keep: number },
): Promise<{ reservation: Reservation | null; waitMs: number }> {
  const needed = points + keep;
  let row = await reserve(db, shop, points, needed);
  if (!row) {
    await insertBudget(db, shop);
    row = await reserve(db, shop, points, needed);
  }
  if (!row) throw new Error('The store has no budget row');
  if (needed > row.maximum) {
    throw new Error(`${points} points were requested, but the store's budget holds only ${row.maximum}`);
  }
  if (row.fits) return { reservation: { points, admitted: row.admitted }, waitMs: 0 };
  const waitMs = Math.ceil((Math.max(0, needed - row.left) / row.restore_rate) * 1000) + 1;
  return { reservation: null, waitMs };
}

export type CurrentBudget = { points: number; maximum: number; restoreRate: number };

/** Reads a store's budget. Null before the store's first call. */
export async function readStoreBudget(db: Db, storeUrl: string): Promise<CurrentBudget | null> {
  const budget = await findRow<CurrentBudget>(db)`
    select greatest(0, ${refilled}) as points, maximum, restore_rate as "restoreRate"
    from store_budgets where shop = ${new URL(storeUrl).host}`;
  return budget ?? null;
}

type Reserved = { fits: boolean; admitted: number; left: number; restore_rate: number; maximum: number };

async function insertBudget(db: Db, shop: string): Promise<void> {
  const { maximum, restoreRate } = planUnknown;
  await sql`
    insert into store_budgets (shop, available, maximum, restore_rate)
    values (${shop}, ${maximum}, ${maximum}, ${restoreRate}) on conflict do nothing`.execute(db);
}

/** SQL value: points left, with points refilled since the last change. If the clock was set back, none are refilled. */
const refilled = sql`least(maximum, available
  + restore_rate * greatest(0, extract(epoch from clock_timestamp() - measured_at)))`;

const reserve = (db: Db, shop: string, points: number, needed: number) =>
  findRow<Reserved>(db)`
    with now_available as (
      select *, points >= ${needed}::float8 as fits from (
        select shop, ${refilled} as points, measured_at > clock_timestamp() as is_ahead
        from store_budgets where shop = ${shop} for update
      ) locked
    ), taken as (
      update store_budgets set available = now_available.points - case when fits then ${points}::float8 else 0 end,
        admitted = admitted + case when fits then ${points}::float8 else 0 end, measured_at = clock_timestamp()
      from now_available where store_budgets.shop = now_available.shop and (fits or is_ahead)
      returning store_budgets.admitted
    )
    select fits, coalesce((select admitted from taken), 0) as admitted, now_available.points as left, restore_rate,
      maximum, set_config('synchronous_commit', 'off', true)
    from store_budgets join now_available using (shop)`;

/** If a report exceeds our budget, the share of the excess by which the budget is raised: the report may miss calls. */
const raiseShare = 0.1;

/** Sets the budget to the store's report, minus points admitted after the request, and minus `unanswered` points. */
async function reportBudget(
  db: Db,
  shop: string,
  { report, reservation, unanswered }: { report: Report; reservation: Reservation; unanswered: number },
): Promise<void> {
  await sql`
    with budget as (
      select shop, maximum = ${report.maximumAvailable} and restore_rate = ${report.restoreRate} as same_plan,
        ${refilled} as expected,
        ${report.currentlyAvailable - unanswered}::float8 - (admitted - ${reservation.admitted}::float8) as reported
      from store_budgets where shop = ${shop} for update
    ), changed as (
      update store_budgets set maximum = ${report.maximumAvailable}, restore_rate = ${report.restoreRate},
        available = case when same_plan and reported > expected
          then expected + ${raiseShare}::float8 * (reported - expected) else reported end,
        measured_at = clock_timestamp()
      from budget where store_budgets.shop = budget.shop
    ) select set_config('synchronous_commit', 'off', true)`.execute(db);
}

type Report = { currentlyAvailable: number; maximumAvailable: number; restoreRate: number };

export type StoreBudget = {
  reserve(points: number, signal?: AbortSignal): Promise<Reservation>;
  /** Call it once per reservation: with the store's report, or null without one. Either way, the points are spent. */
  report(report: Report | null, reservation: { points: number }): Promise<void>;
};

/** Longest pause before the next try, because another process's report may raise the budget sooner than expected. */
const askAgainMsMax = 250;

/**
 * Creates a client's access to a store's budget. `keep`: points left for others, 0 if a person waits, and
 * `pointsReservedForApi` for a worker. Requests are served in order. Of concurrent reports, only the last is stored.
 */
export function createStoreBudget(db: Db, storeUrl: string, keep: number): StoreBudget {
  const shop = new URL(storeUrl).host;
  const unanswered = new Set<Reservation>();
  const reserveNow = async (points: number, signal?: AbortSignal): Promise<Reservation> => {
    for (;;) {
      signal?.throwIfAborted();
      const { reservation, waitMs } = await reservePoints(db, shop, { points, keep });
      // If the request was aborted during the statement, its points count as spent.
      signal?.throwIfAborted();
      if (reservation) {
        unanswered.add(reservation);
        return reservation;
      }
      await pause(Math.min(waitMs, askAgainMsMax), undefined, { signal });
    }
  };
  let next: Reported | undefined;
  let storing: Promise<void> | undefined;
  const storeReports = async () => {
    try {
      for (let reported = next; reported; reported = next) {
        next = undefined;
        const { report, reservation } = reported;
        let before = 0;
        for (const one of unanswered) if (one.admitted < reservation.admitted) before += one.points;
        await reportBudget(db, shop, { report, reservation, unanswered: before });
      }
    } finally {
      storing = undefined;
    }
  };
  let last = Promise.resolve();
  return {
    async reserve(points, signal) {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<Reservation>();
      const abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      last = last
        .then(() => reserveNow(points, signal))
        .then(resolve, reject)
        .finally(() => signal?.removeEventListener('abort', abort));
      return promise;
    },
    async report(report, given) {
      const reservation = given as Reservation;
      unanswered.delete(reservation);
      if (!report) return;
      next = { report, reservation };
      storing ??= storeReports();
      await storing;
    },
  };
}

type Reported = { report: Report; reservation: Reservation };
