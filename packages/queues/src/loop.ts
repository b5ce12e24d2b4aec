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
