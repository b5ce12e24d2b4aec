import { setTimeout as pause, setImmediate as pollOthers } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Yields the pieces of a file that is being received, and lets other requests run in between. */
export type FileSlicer = <T>(pieces: AsyncIterable<T>) => AsyncGenerator<T>;

/** Work between pauses. 64 KiB take about 1 ms. An edit waits for up to 30 slices, one for each of its statements. */
const sliceMs = 1;
/** Pause after a slice, as a multiple of the slice: while other requests run, files get a third of the time. */
const restTimes = 2;
/** Maximum pause. A slice may include waiting for storage, so its length may exceed its work. */
const restMsMax = 10;
/** A request counts as running for this time after it arrives, which is longer than most edits take. */
const askedMs = 250;

/**
 * Limits the time for which received files block the event loop. Otherwise Node reads up to 2 MiB of a fast upload per
 * iteration, about 40 ms of work. Call it before any route is added.
 */
export function createFileSlicer(app: FastifyInstance): FileSlicer {
  let askedAt = Number.NEGATIVE_INFINITY;
  // Time at which the current pause ends. All files share this pause.
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
