/** `wake` begins the next round at once. `stop` aborts the running round and resolves when it has ended. */
export type Rounds = { wake(): void; stop(): Promise<void> };

/**
 * Runs rounds one after the other, with a pause of `everyMs` between them. A round that fails is reported to `onError`
 * and does not end the rounds.
 */
export function keepRounds(options: {
  everyMs: number;
  round(signal: AbortSignal): Promise<void>;
  onError(error: unknown): void;
}): Rounds {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isWoken = false;
  let running: Promise<void> | undefined;
  const begin = () => {
    clearTimeout(timer);
    isWoken = false;
    running = options
      .round(stopping.signal)
      .catch((error) => {
        if (!stopping.signal.aborted) options.onError(error);
      })
      .finally(() => {
        running = undefined;
        if (stopping.signal.aborted) return;
        if (isWoken) begin();
        else timer = setTimeout(begin, options.everyMs);
      });
  };
  begin();
  return {
    wake() {
      if (stopping.signal.aborted) return;
      if (running) isWoken = true;
      else begin();
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
