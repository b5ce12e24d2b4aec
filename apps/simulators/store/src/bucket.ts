import type { Clock } from './clock.ts';

/** Points per second by plan; the bucket holds the points of twenty seconds. */
const restoreRates = { standard: 100, advanced: 200, plus: 1000, enterprise: 2000 } as const;
export type Plan = keyof typeof restoreRates;

export type ThrottleStatus = { maximumAvailable: number; currentlyAvailable: number; restoreRate: number };

export type Bucket = {
  /** Whether a request may run: decided by the requested cost, not by the actual one. */
  admits(requestedPoints: number): boolean;
  charge(actualPoints: number): void;
  status(): ThrottleStatus;
};

/** The leaky bucket of an app in a store. */
export function createBucket(plan: Plan, clock: Clock): Bucket {
  const restoreRate = restoreRates[plan];
  const maximumAvailable = restoreRate * 20;
  let available = maximumAvailable;
  let atMs = clock();

  function refill(): void {
    const nowMs = clock();
    available = Math.min(maximumAvailable, available + ((nowMs - atMs) / 1000) * restoreRate);
    atMs = nowMs;
  }

  return {
    admits(requestedPoints) {
      refill();
      return available >= requestedPoints;
    },
    charge(actualPoints) {
      refill();
      available -= actualPoints;
    },
    status() {
      refill();
      return { maximumAvailable, currentlyAvailable: Math.floor(available), restoreRate };
    },
  };
}
