import {
  type Db,
  describeRefusal,
  isBusyError,
  isDatabaseRefusal,
  isDatabaseUnavailable,
  type OpenDatabase,
} from '@draftshelf/core/connection/database';
import type { ChunkRecord } from '@draftshelf/core/connection/schema';
import { failBackgroundTask, releaseTask, toBackgroundTask } from '@draftshelf/core/work/background-tasks';
import {
  attemptsMax,
  ChunkFenced,
  deferChunk,
  endRecordedClaim,
  lostClaimsMax,
  recordFailedAttempt,
  releaseChunk,
  type StartedChunk,
} from '@draftshelf/core/work/claim-chunk';
import { failChunk, ImportNotRunning, MustWait, storeWaitCause } from '@draftshelf/core/work/complete-chunk';
import { countDeaths } from '@draftshelf/core/work/deaths';
import { failFinalize, failImport, failTask } from '@draftshelf/core/work/fail-import';
import { wakeRelay } from '@draftshelf/core/work/notify-chunks';
import type { Tallies } from '@draftshelf/domain/operate/tallies';
import { workerDeathsMax, workerDeathsSentence } from '@draftshelf/domain/work/deaths';
import type { Logger } from '@draftshelf/runtime/logger';
import { CannotSucceed, ReleaseChunk, RetryLater, StageFailed } from './chunk-errors.ts';
import { describeChunk } from './pipeline.ts';
import type { ServedHandlers } from './run-task.ts';

type Deps = {
  database: Pick<OpenDatabase, 'db'>;
  logger: Logger;
  tallies: Tallies;
  signal: AbortSignal;
  handlers: ServedHandlers;
};

type Claims = Pick<ChunkRecord, 'id' | 'claims' | 'attempts' | 'claims_with_progress' | 'lost_by'>;

/** Returns how many claims of a chunk have not ended: the current claim, and claims whose workers were killed. */
export const countUnendedClaims = ({ claims, attempts, claims_with_progress }: Claims): number =>
  claims - claims_with_progress - attempts;

/** Throws if too many processes died while they held only this chunk, or if too many of its claims have not ended. */
export async function checkClaimLimit(db: Db, chunk: Claims, place: string): Promise<void> {
  if (chunk.lost_by.length >= workerDeathsMax && (await countDeaths(db, chunk)) >= workerDeathsMax)
    throw new CannotSucceed(workerDeathsSentence(place));
  if (countUnendedClaims(chunk) <= lostClaimsMax) return;
  const since = chunk.claims - chunk.claims_with_progress;
  throw new CannotSucceed(
    `Started ${since} times and never finished: each time its process was killed or lost its connection`,
  );
}

/** `settled`: the chunk waits, is released or has a newer claim. `again`: the job is retried. `dead`: not retried. */
type Outcome = 'settled' | 'again' | 'dead';

export async function recordError(error: unknown, chunk: StartedChunk, deps: Deps): Promise<Outcome> {
  try {
    return await retryWhileUnavailable(deps, () => recordOnce(error, chunk, deps));
  } finally {
    await retryWhileUnavailable(deps, () => endRecordedClaim(deps.database.db, chunk));
  }
}

async function recordOnce(error: unknown, chunk: StartedChunk, deps: Deps): Promise<Outcome> {
  const { database, logger } = deps;
  if (error instanceof ChunkFenced) return 'settled';
  if (chunk.subject !== null) return recordTask(error, chunk, deps);
  const ids = { chunkId: chunk.id, importId: chunk.import_id, stage: chunk.stage, run: chunk.run };
  if (error instanceof ImportNotRunning || error instanceof ReleaseChunk) {
    await releaseChunk(database.db, chunk);
    // The relay is woken, so that a task or a finalize continues at once unless another chunk is next.
    if (chunk.kind !== 'work') await wakeRelay(database.db, chunk.stage);
    return 'settled';
  }
  if (error instanceof MustWait || isDatabaseUnavailable(error)) {
    await waitVisibly(chunk, error as Error, deps);
    return 'settled';
  }
  if (error instanceof StageFailed) {
    // With two transactions, the relay could publish the chunk again in between, and the import could complete.
    const isFailed = await database.db.transaction().execute(async (trx) => {
      const isHeld = await releaseChunk(trx, chunk, error.message);
      return isHeld && failImport(trx, chunk.import_id, chunk.stage, error.message, chunk.start);
    });
    if (isFailed) logger.error({ ...ids, err: error }, 'The stage cannot continue');
    else logger.warn({ ...ids, err: error }, 'A chunk of an earlier start could not continue');
    return 'settled';
  }
  const message = toErrorMessage(error);
  if (!(error instanceof CannotSucceed)) {
    const attempts = await recordFailedAttempt(database.db, chunk, message);
    if (attempts < attemptsMax) {
      logger.warn({ ...ids, err: error, attempts }, 'A chunk failed and will be retried');
      return 'again';
    }
  }
  logger.error({ ...ids, err: error }, 'A chunk is dead');
  await database.db.transaction().execute((trx) => {
    if (chunk.kind === 'task') return failTask(trx, chunk, message);
    if (chunk.kind === 'finalize') return failFinalize(trx, chunk, message);
    return failChunk(trx, chunk, describeChunk(chunk), message);
  });
  return 'dead';
}

/** Pause of a background task after the database was unavailable or busy. */
const busyWaitMs = 5_000;
const waitsForDatabase = { waitMs: busyWaitMs, waitFor: 'Waits for the database.' };

/** Returns the wait of a background task after an error. Undefined if the error counts as a failed attempt. */
function waitAfter(error: unknown): Parameters<typeof releaseTask>[2] | undefined {
  if (error instanceof ReleaseChunk) return { waitMs: 0 };
  if (error instanceof RetryLater) return { waitMs: error.waitMs ?? busyWaitMs, waitFor: error.message };
  return isDatabaseUnavailable(error) || isBusyError(error) ? waitsForDatabase : undefined;
}

/** Records the error of a background task. BullMQ does not repeat the job: the task's row makes the task due again. */
async function recordTask(error: unknown, chunk: StartedChunk, deps: Deps): Promise<Outcome> {
  const { db } = deps.database;
  const task = toBackgroundTask(chunk);
  const names = { task: task.kind, subject: task.subject };
  const wait = waitAfter(error);
  if (wait === waitsForDatabase) deps.logger.warn({ err: error, ...names }, 'A task waits for the database');
  if (wait) {
    await releaseTask(db, task, wait);
    return 'settled';
  }
  const hasFailed = await db.transaction().execute(async (trx) => {
    const isLast = await failBackgroundTask(trx, task, toErrorMessage(error), error instanceof CannotSucceed);
    if (isLast) await deps.handlers[task.kind]?.onFailed?.(trx, task, error);
    return isLast;
  });
  const [level, sentence] = hasFailed
    ? (['error', 'A task failed'] as const)
    : (['warn', 'A task is tried again'] as const);
  deps.logger[level]({ err: error, ...names }, sentence);
  return hasFailed ? 'dead' : 'settled';
}

export const toErrorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

async function waitVisibly(
  chunk: StartedChunk,
  error: Error,
  { database, logger, tallies }: Deps,
): Promise<void> {
  const cause =
    error instanceof MustWait ? error.message : (describeRefusal(error) ?? 'The database was unavailable.');
  const waitMs = error instanceof RetryLater ? error.waitMs : undefined;
  const until = await deferChunk(database.db, chunk, { cause, waitMs });
  // A newer claim has ended this claim's connection, so the error does not count as a refusal by the database.
  if (!until) return;
  const refusal = isDatabaseRefusal(error) ? 'database-refusals' : null;
  const tally = error instanceof RetryLater ? error.tally : refusal;
  if (tally) tallies.add(tally);
  // Only the first of several waits is logged as a warning.
  const level = chunk.waits === 0 ? 'warn' : 'debug';
  const ids = { chunkId: chunk.id, importId: chunk.import_id, stage: chunk.stage };
  logger[level]({ ...ids, err: error, until }, 'A chunk is waiting');
  if (chunk.kind === 'task') return;
  await storeWaitCause(database.db, chunk, { cause, until });
}

const databaseRetryMs = 500;

/** Retries while the database is unavailable, so that a chunk's result is always recorded. */
export async function retryWhileUnavailable<T>(
  deps: Pick<Deps, 'signal'>,
  record: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await record();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || deps.signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, databaseRetryMs));
    }
  }
}
