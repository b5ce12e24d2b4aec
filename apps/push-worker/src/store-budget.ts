import type { Db } from '@draftshelf/database/connect';
import {
  pointsKeptForPeople,
  reportBudget,
  reservePoints,
  returnPoints,
} from '@draftshelf/database/store-budget';
import type { Budget } from '@draftshelf/shopify/client';

/**
 * The budget of the store in Postgres, as the store's client wants it: all workers and the api draw on one row.
 * `reserve` waits until the points are there, or the signal says to stop.
 */
export function storeBudget(db: Db, storeUrl: string): Budget {
  const shop = new URL(storeUrl).host;
  const admitted = new WeakMap<object, number>();
  return {
    async reserve(points, signal) {
      for (;;) {
        signal?.throwIfAborted();
        const answer = await reservePoints(db, shop, { points, keep: pointsKeptForPeople });
        if (answer.granted) {
          const reservation = { points };
          admitted.set(reservation, answer.reservation.admitted);
          return reservation;
        }
        await pause(answer.waitMs, signal);
      }
    },
    async report(throttle, reservation, actualPoints) {
      if (throttle) {
        const at = admitted.get(reservation) ?? 0;
        await reportBudget(db, shop, throttle, { points: reservation.points, admitted: at });
      } else if (actualPoints !== null && actualPoints < reservation.points) {
        await returnPoints(db, shop, reservation.points - actualPoints);
      }
    },
  };
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done, { once: true });
  });
}
