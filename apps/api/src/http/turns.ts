import { type Db, type OpenDatabase, readUntilAborted } from '@draftshelf/core/connection/database';
import { Refusal } from './refusal.ts';

/** Runs `work` when its turn comes. Throws a Refusal (busy) after too long a wait, or if too many requests wait. */
export type TurnQueue = (<T>(work: () => Promise<T>) => Promise<T>) & {
  isAwaited(): boolean;
};

type TurnsOptions = { max: number; waitMsMax: number; refuse?: () => Refusal };

/** Maximum number of waiting requests. Only clients with a session wait, so there are few. */
const waitingMax = 100;

export function createTurnQueue({ max, waitMsMax, refuse = busySaving }: TurnsOptions): TurnQueue {
  let running = 0;
  const waiting = new Set<() => void>();
  const enter = () => {
    if (running < max) {
      running += 1;
      return Promise.resolve();
    }
    if (waiting.size >= waitingMax) return Promise.reject(refuse());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = () => {
      clearTimeout(timer);
      waiting.delete(begin);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(begin);
      reject(refuse());
    }, waitMsMax);
    waiting.add(begin);
    return promise;
  };
  const leave = () => {
    const [next] = waiting;
    if (next) next();
    else running -= 1;
  };
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
  return Object.assign(inTurn, { isAwaited: () => waiting.size > 0 });
}

const busySaving = () =>
  new Refusal(409, { code: 'busy', message: 'Too much is being saved right now. Try again in a moment.' });

/** Returns the refusal for work that only reads. */
export const busyReadingRefusal = () =>
  new Refusal(409, { code: 'busy', message: 'Too much is being searched right now. Try again in a moment.' });

const atOnceMax = 2;
/** Maximum time that a long read waits. After a longer wait, the operator has usually moved on. */
const waitMsMax = 2_000;

/** Runs a long read in a snapshot. Throws a Refusal (409) after 2 s of waiting. `signal` cancels the statement. */
export type LargeReads = <T>(signal: AbortSignal, read: (trx: Db) => Promise<T>) => Promise<T>;

export function createLargeReads(db: OpenDatabase['db']): LargeReads {
  const inTurn = createTurnQueue({ max: atOnceMax, waitMsMax, refuse: busy });
  return (signal, read) => inTurn(() => readUntilAborted(db, signal, read));
}

const busy = () =>
  new Refusal(409, { code: 'busy', message: 'Other long lists are being read. Try again in a moment.' });
