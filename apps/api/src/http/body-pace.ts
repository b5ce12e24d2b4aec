import type { IncomingMessage } from 'node:http';
import { untilAborted } from '@draftshelf/runtime/answer-within';
import { Refusal } from './refusal.ts';

/** Minimum per window while others wait for the body's place. */
export type BodyPace = { windowMs: number; bytesMin: number };

/** 20 kB/s. A request waits for a place longer than a window. */
export const bodyPaceDefault: BodyPace = { windowMs: 15_000, bytesMin: 300_000 };

/** Not when our reading is slow: then unread bytes are waiting. */
export function watchPace(
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

export async function* untilTooSlow<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilAborted(iterator.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: it ends after a piece that may never arrive.
    iterator.return?.()?.catch(() => {});
  }
}
