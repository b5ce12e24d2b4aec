import { Refusal } from './refusal.ts';

/** Runs a work when it is its turn. Throws a 409 if that takes too long. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets at most `max` works of this process run at once. The others wait in order, at most `waitMsMax`. */
export function createTurns({ max, waitMsMax }: { max: number; waitMsMax: number }): Turns {
  let running = 0;
  const waiting = new Set<() => void>();
  const enter = () => {
    if (running < max) {
      running += 1;
      return Promise.resolve();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = () => {
      clearTimeout(timer);
      waiting.delete(begin);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(begin);
      reject(busy());
    }, waitMsMax);
    waiting.add(begin);
    return promise;
  };
  const leave = () => {
    const [next] = waiting;
    if (next) next();
    else running -= 1;
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

const busy = () =>
  new Refusal(409, { code: 'busy', message: 'Too much is being saved right now. Try again in a moment.' });
