import type { Logger } from '@draftshelf/runtime/logger';

/** Runs `work` at every wake-up and at least every `everyMs`, never twice at once. Errors do not end the loop. */
export function loop(everyMs: number, work: () => Promise<unknown>) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = true;
  let onError: (error: unknown) => void = () => {};

  const wake = () => {
    if (stopped) return;
    if (running) {
      again = true;
      return;
    }
    clearTimeout(timer);
    running = work()
      .then(() => {}, onError)
      .finally(() => {
        running = undefined;
        if (again) {
          again = false;
          wake();
        } else if (!stopped) timer = setTimeout(wake, everyMs);
      });
  };
  return {
    wake,
    onError: (listener: (error: unknown) => void) => {
      onError = listener;
    },
    start: () => {
      stopped = false;
      wake();
    },
    stop: async () => {
      stopped = true;
      again = false;
      clearTimeout(timer);
      await running;
    },
  };
}

/** A chunk is due for at most this long before it is published; `wake` is faster. */
const relayEveryMs = 1_000;
const sweepEveryMs = 2_000;

/** Relays and sweeps repeatedly. Chunks taken back by a sweep are published at once. */
export function relayAndSweep(
  work: { relay: () => Promise<unknown>; sweep: () => Promise<number> },
  logger: Logger,
) {
  const relay = loop(relayEveryMs, work.relay);
  relay.onError((err) => logger.warn({ err }, 'The relay failed and will retry'));
  const sweep = loop(sweepEveryMs, async () => {
    if ((await work.sweep()) > 0) relay.wake();
  });
  sweep.onError((err) => logger.warn({ err }, 'The sweep failed and will retry'));
  return {
    wake: relay.wake,
    start() {
      relay.start();
      sweep.start();
    },
    stop: () => Promise.all([relay.stop(), sweep.stop()]),
  };
}
