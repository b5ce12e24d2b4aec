import { answerWithin, untilAborted } from '@draftshelf/runtime/answer-within';

export type Pace = {
  /** Longest wait for a piece. */
  pieceMsMax: number;
  /** Fewer bytes per time end the transfer; absent: any pace is accepted. */
  slow?: { ms: number; bytesMin: number };
};

export class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/** Passes pieces on while they come in time. Throws NoAnswerError, TooSlowError or the signal's reason. */
export async function* piecesInTime(
  pieces: AsyncIterable<Buffer>,
  from: string,
  { pieceMsMax, slow }: Pace,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const iterator = pieces[Symbol.asyncIterator]();
  let waitedMs = 0;
  let bytes = 0;
  try {
    while (true) {
      const began = performance.now();
      const next = await answerWithin(pieceMsMax, from, () => untilAborted(iterator.next(), signal));
      if (next.done) return;
      // Only the time of the server counts, not that of the reader.
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
    // Not awaited: a read that hangs would block here.
    iterator.return?.().catch(() => {});
  }
}
