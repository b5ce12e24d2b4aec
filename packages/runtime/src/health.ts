/** The asked part did not answer in time. */
export class NoAnswerError extends Error {
  constructor(asked: string, timeoutMs: number) {
    super(`${asked} did not answer within ${timeoutMs} ms`);
    this.name = 'NoAnswerError';
  }
}

/**
 * Asks one part of the system and waits at most `timeoutMs`. The signal aborts at the limit, for askers that can
 * stop; those that cannot are left alone, and their late answer or error is dropped.
 *
 * @throws NoAnswerError at the limit, else whatever `ask` throws
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
