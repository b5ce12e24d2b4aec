import { setImmediate } from 'node:timers/promises';

/** A process answers heartbeats, the queue and requests to stop at least this often. */
const workMsMax = 50;

/** Returns a function to call after each small step of long work, to let others work; false: `signal` has aborted. */
export function givingWay(signal: AbortSignal): () => Promise<boolean> {
  let until = performance.now() + workMsMax;
  return async () => {
    if (performance.now() < until) return true;
    await setImmediate();
    until = performance.now() + workMsMax;
    return !signal.aborted;
  };
}

/** Does work that yields after each small step. Null: it was stopped. */
export async function inSteps<T>(
  steps: Generator<unknown, T>,
  giveWay: ReturnType<typeof givingWay>,
): Promise<{ value: T } | null> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { value };
    if (!(await giveWay())) return null;
  }
}
