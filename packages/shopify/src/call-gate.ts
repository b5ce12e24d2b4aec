import { pointsPerProduct } from '@draftshelf/domain/work/pace';
import type { Throttle } from './answer.ts';
import type { Budget, Reservation } from './client.ts';

/** Permission to call the store for one product. `end` frees the permission; calling `end` again does nothing. */
export type CallPermit = {
  /** Waits for a call's points and reserves them. Returns undefined if the call itself must reserve them. */
  reserve(points: number): Promise<Reservation | undefined>;
  /** Gives back an unused reservation, whose points count as spent until the store's next report. */
  unused(reservation: Reservation | undefined): Promise<void>;
  answered(ms: number): void;
  end(): void;
};

export type CallGate = {
  /** The budget to give to the store's client. The gate learns the store's rate from the reports to this budget. */
  budget: Budget;
  /** Waits for a turn. Groups take turns; callers of a group keep their order. Rejects with the signal's reason. */
  enter(group: string, signal: AbortSignal): Promise<CallPermit>;
  isIdle(group: string): boolean;
  turnsMax(): number;
};

const turnsMin = 2;
const turnsMost = 160;

/** Latency assumed until the first answer. */
const latencyAssumedMs = 500;
/** Weight of the latest latency in the average. */
const latencyWeight = 0.2;
/** State assumed until the first report: a full bucket of the Standard plan. */
const throttleAssumed: Throttle = { currentlyAvailable: 2000, maximumAvailable: 2000, restoreRate: 100 };
/** Seconds in which the gate plans to spend the points in the bucket, in addition to the points restored meanwhile. */
const burstSeconds = 5;

type Waiter = { signal: AbortSignal; resolve(turn: CallPermit): void };

/** Creates a gate for 2 to 160 calls in flight: rate times latency. Fewer would waste points; more would only wait. */
export function createCallGate(budget: Budget): CallGate {
  const groups = new Map<string, Waiter[]>();
  let throttle = throttleAssumed;
  let latencyMs = latencyAssumedMs;
  const held = new Set<{ group: string }>();

  function turnsMax(): number {
    const rate = throttle.restoreRate + Math.max(0, throttle.currentlyAvailable) / burstSeconds;
    const asked = Math.ceil((rate / pointsPerProduct) * (latencyMs / 1000)) + turnsMin;
    return Math.min(turnsMost, asked);
  }

  function admit(): void {
    while (held.size < turnsMax()) {
      const [group, waiters] = groups.entries().next().value ?? [];
      if (group === undefined || !waiters) return;
      groups.delete(group);
      const waiter = waiters.shift();
      if (waiters.length > 0) groups.set(group, waiters);
      if (!waiter) continue;
      waiter.resolve(createTurn(group, waiter.signal));
    }
  }

  function createTurn(group: string, signal: AbortSignal): CallPermit {
    const taken = { group };
    held.add(taken);
    return {
      reserve: (points) => budget.reserve(points, signal),
      async unused(reservation) {
        if (reservation) await budget.report(null, reservation);
      },
      answered(ms) {
        latencyMs += (ms - latencyMs) * latencyWeight;
      },
      end() {
        if (held.delete(taken)) admit();
      },
    };
  }

  function leave(group: string, waiter: Waiter): void {
    const left = groups.get(group)?.filter((one) => one !== waiter) ?? [];
    if (left.length > 0) groups.set(group, left);
    else groups.delete(group);
  }

  return {
    budget: {
      reserve: (points, signal) => budget.reserve(points, signal),
      async report(reported, reservation) {
        if (reported) throttle = reported;
        await budget.report(reported, reservation);
      },
    },
    async enter(group, signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<CallPermit>();
      const waiter = { signal, resolve };
      const abort = () => {
        leave(group, waiter);
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      groups.set(group, [...(groups.get(group) ?? []), waiter]);
      admit();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    isIdle: (group) => !groups.has(group) && ![...held].some((turn) => turn.group === group),
    turnsMax,
  };
}
