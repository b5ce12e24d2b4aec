import type { IncomingMessage } from 'node:http';
import { rejectOnAbort } from '@draftshelf/runtime/answer-within';
import { Refusal } from './refusal.ts';

/** A body must bring at least `bytesMin` per window while another request waits for its turn. */
export type BodyPace = { windowMs: number; bytesMin: number };

/** At least 20 kB/s. Requests wait longer for a turn than one window, so that a slow body is detected in time. */
export const bodyPaceDefault: BodyPace = { windowMs: 15_000, bytesMin: 300_000 };

/** Aborts the signal if a body arrives too slowly while others wait, unless bytes that arrived are still unread. */
export function watchBodyPace(
  body: IncomingMessage,
  { windowMs, bytesMin }: BodyPace,
  isAwaited: () => boolean,
): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  let before = body.socket.bytesRead;
  const timer = setInterval(() => {
    const arrived = body.socket.bytesRead - before;
    before += arrived;
    if (body.complete || arrived >= bytesMin || body.readableLength > 0 || !isAwaited()) return;
    controller.abort(tooSlow());
  }, windowMs);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

const tooSlow = () =>
  new Refusal(400, {
    code: 'too_slow',
    message:
      'The upload was too slow while others were waiting. Try again, on a faster connection if you can.',
  });

export async function* stopWhenTooSlow<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await rejectOnAbort(iterator.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited, because the iterator ends only after another piece, which may never arrive.
    iterator.return?.()?.catch(() => {});
  }
}
