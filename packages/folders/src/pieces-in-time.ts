import { callWithTimeout, rejectOnAbort } from '@draftshelf/runtime/answer-within';

export type PaceLimits = {
  /** Maximum wait for a piece in ms. */
  pieceMsMax: number;
  /** Minimum speed: a transfer is aborted if fewer bytes arrive within `ms`. If absent, any speed is accepted. */
  slow?: { ms: number; bytesMin: number };
};

export class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/** Yields pieces while they arrive in time. Throws NoAnswerError, TooSlowError or the signal's reason. */
export async function* limitPace(
  pieces: AsyncIterable<Buffer>,
  from: string,
  { pieceMsMax, slow }: PaceLimits,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const iterator = pieces[Symbol.asyncIterator]();
  let waitedMs = 0;
  let bytes = 0;
  try {
    while (true) {
      const began = performance.now();
      const next = await callWithTimeout(pieceMsMax, from, () => rejectOnAbort(iterator.next(), signal));
      if (next.done) return;
      // The time that the server needs counts, but the time that the reader needs does not.
      waitedMs += performance.now() - began;
      bytes += next.value.length;
      if (slow && waitedMs >= slow.ms) {
        if (bytes < slow.bytesMin) {
          throw new TooSlowError(`${from} sends too slowly (${(bytes / waitedMs).toFixed(1)} kB/s).`);
        }
        waitedMs = 0;
        bytes = 0;
      }
      yield next.value;
    }
  } finally {
    // The call is not awaited, because a read that never ends would block here.
    iterator.return?.().catch(() => {});
  }
}
