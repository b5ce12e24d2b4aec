import { setImmediate } from 'node:timers/promises';

/** A process answers heartbeats, the queue and requests to stop at least this often. */
const workMsMax = 50;

/**
 * Call the result after each small step of long work: from time to time it lets others of the process work. It returns
 * false once `signal` has aborted.
 */
export function givingWay(signal: AbortSignal): () => Promise<boolean> {
  let until = performance.now() + workMsMax;
  return async () => {
    if (performance.now() < until) return true;
    await setImmediate();
    until = performance.now() + workMsMax;
    return !signal.aborted;
  };
}
