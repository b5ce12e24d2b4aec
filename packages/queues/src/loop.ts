import type { Logger } from '@draftshelf/runtime/logger';

/** Runs `work` at every wake-up and at least every `everyMs`, never concurrently. Errors do not end the loop. */
export function loop(everyMs: number, work: () => Promise<unknown>, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = true;

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

/** Maximum time until a due chunk is published. After `wake`, chunks are published at once. */
const relayEveryMs = 1_000;
const sweepEveryMs = 2_000;

/** Relays and sweeps repeatedly. Chunks that a sweep takes back are published at once. */
export function createRelayAndSweep(
  work: { relay: () => Promise<unknown>; sweep: () => Promise<number> },
  logger: Logger,
) {
  const warn = (sentence: string) => (err: unknown) => logger.warn({ err }, sentence);
  const relay = loop(relayEveryMs, work.relay, warn('The relay failed and will retry'));
  const sweepAndRelay = async () => {
    if ((await work.sweep()) > 0) relay.wake();
  };
  const sweep = loop(sweepEveryMs, sweepAndRelay, warn('The sweep failed and will retry'));
  return {
    wake: relay.wake,
    start() {
      relay.start();
      sweep.start();
    },
    stop: () => Promise.all([relay.stop(), sweep.stop()]),
  };
}
