import { isCancelledStatement, type OpenDatabase } from '@draftshelf/core/connection/database';
import { ChunkFenced, type ClaimedChunk } from '@draftshelf/core/work/claim-chunk';
import type { TaskProgress } from '@draftshelf/core/work/tasks';
import type { Logger } from '@draftshelf/runtime/logger';
import { ReleaseChunk, RetryLater } from './chunk-errors.ts';
import { loop } from './loop.ts';

type Deps = { database: OpenDatabase; logger: Logger; signal: AbortSignal };

/** Time after which a finalize or a task releases its chunk, so that chunks of other imports run in between. */
const partsMsMax = 2_000;
/** Maximum time of a part after a request to stop. A longer part is cancelled; results of earlier parts are stored. */
const partAtStopMsMax = 4_000;
/** The cancel is repeated, because between two statements there is nothing to cancel. */
const cancelEveryMs = 500;

/** Calls `part` until it returns true. `chunk`: the claim if the parts use its connection, else null. */
export async function runParts(
  chunk: ClaimedChunk | null,
  part: () => Promise<boolean>,
  deps: Deps,
): Promise<void> {
  if (deps.signal.aborted) throw new ReleaseChunk();
  let timer: NodeJS.Timeout | undefined;
  const onStop = () => {
    const since = performance.now();
    timer = setInterval(() => {
      if (chunk && performance.now() - since > partAtStopMsMax) cancelStatement(chunk, deps);
    }, cancelEveryMs);
  };
  deps.signal.addEventListener('abort', onStop, { once: true });
  const until = performance.now() + partsMsMax;
  try {
    while (!(await part())) {
      if (deps.signal.aborted || performance.now() > until) throw new ReleaseChunk();
    }
  } catch (error) {
    throw deps.signal.aborted && isCancelledStatement(error) ? new ReleaseChunk() : error;
  } finally {
    deps.signal.removeEventListener('abort', onStop);
    clearInterval(timer);
  }
}

/** Maximum time until a process notices that its claim is lost, or that a call's setting was turned off. */
const watchEveryMs = 2_000;

/** Calls `look` repeatedly until `end`. If `look` throws ChunkFenced, the claim is lost and `lost` aborts. */
export function watchClaim(look: () => Promise<void>, logger: Logger) {
  const lost = new AbortController();
  const looks = loop(watchEveryMs, look, (err) => {
    if (err instanceof ChunkFenced) lost.abort(err);
    else logger.warn({ err }, 'A claim could not be watched; the next look tries again');
  });
  looks.start();
  return { lost: lost.signal, end: looks.stop };
}

export function isDoneOrThrow(progress: TaskProgress): boolean {
  if (typeof progress === 'object') throw new RetryLater(progress.waitFor, { waitMs: progress.waitMs });
  return progress === 'done';
}

/** Cancels the statement that runs on the claim's connection, if the claim still holds. */
async function cancelStatement(chunk: ClaimedChunk, { database, logger }: Deps): Promise<void> {
  await database.pool
    .query(
      `select pg_cancel_backend(claim_pid) from chunks
       where id = $1 and publication = $2 and claims = $3 and state = 'published'`,
      [chunk.id, chunk.publication, chunk.claims],
    )
    .catch((err) => logger.warn({ err, chunkId: chunk.id }, 'A statement could not be cancelled'));
}
