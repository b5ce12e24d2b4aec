/** A call did not finish in time. */
export class NoAnswerError extends Error {
  constructor(asked: string, timeoutMs: number) {
    super(`${asked} did not respond within ${timeoutMs} ms`);
    this.name = 'NoAnswerError';
  }
}

/**
 * Calls `ask` and waits at most `timeoutMs`. At the limit the signal aborts; the late result or error of a call that
 * ignores the signal is dropped. `asked` names the part of the system for the error.
 *
 * @throws NoAnswerError at the limit, else what `ask` throws
 */
export async function answerWithin<Answer>(
  timeoutMs: number,
  asked: string,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const abort = new AbortController();
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new NoAnswerError(asked, timeoutMs));
    abort.abort();
  }, timeoutMs);
  try {
    return await Promise.race([ask(abort.signal), limit]);
  } finally {
    clearTimeout(timer);
  }
}
