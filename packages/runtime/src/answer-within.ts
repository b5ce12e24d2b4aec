export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/** Returns the result of `ask`. After `timeoutMs`, aborts `ask` and throws a NoAnswerError that names `asked`. */
export async function callWithTimeout<Answer>(
  timeoutMs: number,
  asked: string,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const abort = new AbortController();
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new NoAnswerError(`${asked} did not respond within ${timeoutMs} ms`));
    abort.abort();
  }, timeoutMs);
  try {
    return await Promise.race([ask(abort.signal), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for `work`, or rejects with the signal's reason when it aborts. A later result of `work` is dropped. */
export function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', abort));
}
