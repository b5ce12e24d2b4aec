import { Refusal } from './refusal.ts';

/** Runs work in turn. Throws a Refusal (busy) after too long a wait, or if too many wait. */
export type Turns = (<T>(work: () => Promise<T>) => Promise<T>) & {
  isAwaited(): boolean;
};

type TurnsOptions = { max: number; waitMsMax: number; refuse?: () => Refusal };

/** Clients with a session are few. */
const waitingMax = 100;

export function createTurns({ max, waitMsMax, refuse = busySaving }: TurnsOptions): Turns {
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

/** For work that only reads. */
export const busyReading = () =>
  new Refusal(409, { code: 'busy', message: 'Too much is being searched right now. Try again in a moment.' });
