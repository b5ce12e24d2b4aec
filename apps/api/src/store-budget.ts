import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '@draftshelf/database/connect';
import { type Reservation, reportBudget, reservePoints } from '@draftshelf/database/store-budget';
import type { Budget } from '@draftshelf/shopify/client';

/** The store's shared points, as the api takes them: for a person who waits, so with nothing kept back. */
export function personalBudget(db: Db, shop: string): Budget {
  return {
    async reserve(points, signal): Promise<Reservation> {
      for (;;) {
        const answer = await reservePoints(db, shop, { points, keep: 0 });
        if (answer.granted) return answer.reservation;
        await pause(answer.waitMs, undefined, { signal });
      }
    },
    async report(throttle, reservation) {
      if (throttle) await reportBudget(db, shop, throttle, reservation as Reservation);
    },
  };
}
