import { Refusal } from './refusal.ts';

/** Runs a work when it is its turn. Throws a Refusal (busy) if that takes too long, or if too many wait. */
export type Turns = (<T>(work: () => Promise<T>) => Promise<T>) & {
  /** Whether a work waits for its turn. */
  isAwaited(): boolean;
};

type TurnsOptions = {
  /** Works of this process that run at once. */
  max: number;
  waitMsMax: number;
  refuse?: () => Refusal;
};

/** More do not wait: clients with a session are few. */
const waitingMax = 100;

/** Lets at most `max` works run at once. Up to 100 others wait in order, at most `waitMsMax`. */
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

/** For works that only read. */
export const busyReading = () =>
  new Refusal(409, { code: 'busy', message: 'Too much is being searched right now. Try again in a moment.' });
