import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { findRow } from '../../connection/query-rows.ts';

/** A store's plan until its first report: Standard, 2,000 points that refill at 100 per second. */
const planUnknown = { maximum: 2000, restoreRate: 100 };

/** Points that workers leave for people; the api may take them. */
export const pointsReservedForApi = 50;

/** Points that plans leave for pushes. The smallest bucket holds 1,000. */
export const pointsReservedForPushes = 500;

export type Reservation = {
  points: number;
  /** Points admitted so far, including these. Orders reservations and reports. */
  admitted: number;
};

/**
 * Takes points from the store's budget for as many requests as possible, in order. `waitMs`: wait of the first one not
 * granted. One statement in its own transaction by Postgres' clock, shared by all workers. Its commit does not wait for
 * the disk: after a crash the store's report corrects the budget. Throws if the first request exceeds the store's
 * bucket.
 */
export async function reservePoints(
  db: Db,
  shop: string,
  ask: { requests: readonly number[]; keep: number },
): Promise<{ granted: Reservation[]; waitMs: number }> {
  let sum = 0;
  const totals = ask.requests.map((points) => {
    sum += points;
    return sum;
  });
  let row = await reserve(db, shop, totals, ask.keep);
  if (!row) {
    await insertBudget(db, shop);
    row = await reserve(db, shop, totals, ask.keep);
  }
  if (!row) throw new Error('The store has no budget row');
  const first = ask.requests[0] ?? 0;
  if (first + ask.keep > row.maximum) {
    throw new Error(`${first} points were requested, but the store's budget holds only ${row.maximum}`);
  }
  const taken = totals[row.granted - 1] ?? 0;
  const granted = ask.requests
    .slice(0, row.granted)
    .map((points, at) => ({ points, admitted: row.admitted - taken + (totals[at] ?? 0) }));
  const missing = (ask.requests[row.granted] ?? 0) + ask.keep - row.left;
  return { granted, waitMs: Math.ceil((Math.max(0, missing) / row.restore_rate) * 1000) + 1 };
}

export type BudgetNow = { points: number; maximum: number; restoreRate: number };

/** Reads a store's budget; null before its first call. */
export async function readBudget(db: Db, storeUrl: string): Promise<BudgetNow | null> {
  const budget = await findRow<BudgetNow>(db)`
    select greatest(0, ${refilled}) as points, maximum, restore_rate as "restoreRate"
    from store_budgets where shop = ${new URL(storeUrl).host}`;
  return budget ?? null;
}

type Reserved = { granted: number; admitted: number; left: number; restore_rate: number; maximum: number };

async function insertBudget(db: Db, shop: string): Promise<void> {
  const { maximum, restoreRate } = planUnknown;
  await sql`
    insert into store_budgets (shop, available, maximum, restore_rate)
    values (${shop}, ${maximum}, ${maximum}, ${restoreRate}) on conflict do nothing`.execute(db);
}

/** A clock set back refills nothing; points below zero would stop all calls, and so the reports that correct them. */
const refilled = sql`least(maximum, available
  + restore_rate * greatest(0, extract(epoch from clock_timestamp() - measured_at)))`;

const reserve = (db: Db, shop: string, totals: readonly number[], keep: number) =>
  findRow<Reserved>(db)`
    with now_available as (
      select shop, ${refilled} as points, measured_at > clock_timestamp() as is_ahead
      from store_budgets where shop = ${shop} for update
    ), fitting as (
      select count(*)::int as requests, coalesce(max(total), 0) as points
      from unnest(${totals}::float8[]) as asked (total), now_available where total + ${keep}::float8 <= now_available.points
    ), taken as (
      update store_budgets set available = now_available.points - fitting.points, measured_at = clock_timestamp(),
        admitted = admitted + fitting.points
      from now_available, fitting
      where store_budgets.shop = now_available.shop and (fitting.requests > 0 or is_ahead)
      returning store_budgets.admitted
    )
    select fitting.requests as granted, coalesce((select admitted from taken), 0) as admitted,
      now_available.points - fitting.points as left, restore_rate, maximum, set_config('synchronous_commit', 'off', true)
    from store_budgets join now_available using (shop), fitting`;

/** Weight of a report above our budget, which may not count others' grants. Lower ones count at once. */
const raiseShare = 0.1;

/** Sets the budget by the store's report, minus points admitted after its request, or before it but `unanswered`. */
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
  /** Once per reservation: the store's report, or null when no response came and the points count as spent. */
  report(report: Report | null, reservation: { points: number }): Promise<void>;
};

/** Requests of a process per statement; others wait for the next. */
const requestsPerAskMax = 200;
/** A report of another process may bring points sooner than expected. */
const askAgainMsMax = 250;

/**
 * Creates the client's budget of a store. `keep`: points left for others, 0 for a waiting person and
 * `pointsReservedForApi` for a worker. Waiting requests share a statement, in order; of concurrent reports only the
 * last is stored.
 */
export function storeBudget(db: Db, storeUrl: string, keep: number): StoreBudget {
  const shop = new URL(storeUrl).host;
  const unanswered = new Set<Reservation>();
  const ask = async (requests: readonly number[]) => {
    const answer = await reservePoints(db, shop, { requests, keep });
    for (const one of answer.granted) unanswered.add(one);
    return answer;
  };
  const store = async ({ report, reservation }: Reported) => {
    let before = 0;
    for (const one of unanswered) if (one.admitted < reservation.admitted) before += one.points;
    await reportBudget(db, shop, { report, reservation, unanswered: before });
  };
  const reserveInOrder = createRequestQueue(ask);
  const storeLast = createLastOnly(store);
  return {
    reserve: reserveInOrder,
    async report(report, given) {
      const reservation = given as Reservation;
      unanswered.delete(reservation);
      if (report) await storeLast({ report, reservation });
    },
  };
}

type Reported = { report: Report; reservation: Reservation };

type Request = { points: number; resolve(granted: Reservation): void; reject(error: unknown): void };

/** Requests that wait share a statement. An aborted one no longer waits. */
function createRequestQueue(
  ask: (requests: readonly number[]) => Promise<{ granted: Reservation[]; waitMs: number }>,
): StoreBudget['reserve'] {
  let queue: Request[] = [];
  let granting = false;

  async function grantAll(): Promise<void> {
    if (granting) return;
    granting = true;
    try {
      while (queue.length > 0) {
        const asked = queue.slice(0, requestsPerAskMax);
        const { granted, waitMs } = await ask(asked.map((one) => one.points));
        const served = new Set(asked.slice(0, granted.length));
        queue = queue.filter((one) => !served.has(one));
        // For a request that was aborted during the statement this has no effect, and its points count as spent.
        for (const [at, one] of granted.entries()) asked[at]?.resolve(one);
        if (queue.length > 0 && granted.length < asked.length) await pause(Math.min(waitMs, askAgainMsMax));
      }
    } catch (error) {
      for (const one of queue.splice(0)) one.reject(error);
    } finally {
      granting = false;
    }
  }

  return async (points, signal) => {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Reservation>();
    const request = { points, resolve, reject };
    const abort = () => {
      queue = queue.filter((one) => one !== request);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    queue.push(request);
    void grantAll();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  };
}

/** Stores one value at a time, and of those that arrive meanwhile only the last; all resolve with it. */
function createLastOnly<T>(store: (value: T) => Promise<void>): (value: T) => Promise<void> {
  let next: T | undefined;
  let storing: Promise<void> | undefined;

  async function storeAll(): Promise<void> {
    try {
      while (next !== undefined) {
        const value = next;
        next = undefined;
        await store(value);
      }
    } finally {
      storing = undefined;
    }
  }

  return (value) => {
    next = value;
    storing ??= storeAll();
    return storing;
  };
}
