import { setTimeout as pause, setImmediate as pollOthers } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Passes on the pieces of a file that is received, and lets other requests run in between. */
export type InSlices = <T>(pieces: AsyncIterable<T>) => AsyncGenerator<T>;

/** One piece of 64 KiB takes about 1 ms. An edit waits for up to 30 slices, one for each of its statements. */
const sliceMs = 1;
/** Rest after a slice, in its lengths: files get a third of this process's time while others ask. */
const restTimes = 2;
/** A slice may have waited for storage, which is no work. */
const restMsMax = 10;
/** Other requests count as running for this long after they begin. Most edits take less. */
const askedMs = 250;

/**
 * Receives files in short slices. Otherwise Node reads up to 2 MiB of a fast upload per turn of its event loop, about
 * 40 ms of work. Call this before any route is added.
 */
export function sliceReceiving(app: FastifyInstance): InSlices {
  let askedAt = Number.NEGATIVE_INFINITY;
  // All files share it.
  let restedAt = 0;
  app.addHook('onRequest', (_request, _reply, done) => {
    askedAt = performance.now();
    done();
  });
  return async function* inSlices(pieces) {
    let workedMs = 0;
    for await (const piece of pieces) {
      const began = performance.now();
      yield piece;
      const now = performance.now();
      workedMs += now - began;
      if (workedMs < sliceMs) continue;
      if (now - askedAt < askedMs) {
        restedAt = Math.max(restedAt, now) + Math.min(restMsMax, restTimes * workedMs);
        await pause(restedAt - now);
      } else await pollOthers();
      workedMs = 0;
    }
  };
}
