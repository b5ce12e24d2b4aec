import {
  attemptsMax,
  ChunkFenced,
  type ClaimedChunk,
  claimChunk,
  claimsMax,
  countAttempt,
  deferChunk,
  moveClaim,
  releaseChunk,
  type StartedChunk,
} from '@draftshelf/database/chunks/claim-chunk';
import {
  type ChunkOfRun,
  failChunk,
  ImportNotRunning,
  showWaiting,
} from '@draftshelf/database/chunks/complete-chunk';
import { failTask, type TaskStep } from '@draftshelf/database/chunks/tasks';
import {
  type Db,
  isCancelledStatement,
  isDatabaseUnavailable,
  type OpenDatabase,
  onPinnedConnection,
  type PinnedConnection,
  refusalSentence,
} from '@draftshelf/database/connection/database';
import { changeImport, findImport } from '@draftshelf/database/imports/imports';
import type { ChunkRecord, ImportRecord } from '@draftshelf/database/schema';
import { runningStatusOf, type Stage } from '@draftshelf/domain/stages';
import type { TaskKind, taskCatalog } from '@draftshelf/domain/task-catalog';
import { failFinalize, failImport } from '@draftshelf/imports/fail-import';
import type { Logger } from '@draftshelf/runtime/logger';
import { UnrecoverableError } from 'bullmq';
import { CannotSucceed, ReleaseChunk, RetryLater, StageFailed } from './chunk-errors.ts';
import { type ChunkPayload, rangeOf } from './pipeline.ts';

/** A claimed chunk with its import, and the pool for its statements. */
export type ChunkWork = {
  chunk: StartedChunk;
  import: ImportRecord;
  database: Pick<OpenDatabase, 'db'>;
  /** Aborted when the process is asked to stop: finish what has begun, release the rest. */
  signal: AbortSignal;
};

/** The same, with the connection that holds the claim. */
export type PinnedWork = ChunkWork & { connection: PinnedConnection };

/** Does a work chunk: its effect and its completion in one transaction. */
type Perform =
  /** On `work.connection`. */
  | { perform(work: PinnedWork): Promise<void> }
  /** For chunks that mostly wait for others: their claims share one connection, and statements use the pool. */
  | { performOnPool(work: ChunkWork): Promise<void> };

export type StageWork = Perform & {
  stage: Stage;
  /** Does the next part of a run's last step, in its own transactions; returns whether the step has ended. */
  finalize(db: PinnedConnection['db'], chunk: ChunkRecord): Promise<boolean>;
  /** The tasks that this stage's worker does (domain's taskCatalog). */
  tasks: Partial<Record<TaskKind, TaskStep>>;
  /** What the stage's worker does at every sweep, in transactions of its own. */
  alsoSweep?(db: OpenDatabase['db']): Promise<void>;
};

/** A step for every task of a stage's worker. */
export type TaskSteps<S extends Stage> = {
  [K in TaskKind as (typeof taskCatalog)[K]['stage'] extends S ? K : never]: TaskStep;
};

type Deps = {
  database: OpenDatabase;
  /** A pool of one connection, which holds the claims of chunks that are done on the pool. */
  claims?: OpenDatabase | undefined;
  logger: Logger;
  signal: AbortSignal;
};

/**
 * Processes one job: claims the chunk, does its work and handles errors. Returns when nothing is left to do for this
 * publication; throws what BullMQ should retry or keep as failed.
 */
export async function runChunk(payload: ChunkPayload, step: StageWork, deps: Deps): Promise<void> {
  let claimed: StartedChunk | undefined;
  const claim = async (db: PinnedConnection['db']) => {
    claimed = await claimChunk(db, { id: payload.chunkId, publication: payload.publication });
    if (claimed) checkClaimLimit(claimed);
    return claimed;
  };
  try {
    if (deps.claims && 'performOnPool' in step) {
      const chunk = await claim(deps.claims.db);
      if (chunk?.kind === 'work') await step.performOnPool(await workOf(deps.database.db, chunk, deps));
      else if (chunk) {
        await onPinnedConnection(deps.database, async (connection) => {
          claimed = await moveClaim(connection.db, chunk);
          await performPinned(claimed, connection, step, deps);
        });
      }
      return;
    }
    await onPinnedConnection(deps.database, async (connection) => {
      const chunk = await claim(connection.db);
      if (chunk) await performPinned(chunk, connection, step, deps);
    });
  } catch (error) {
    const chunk = claimed;
    // Nothing is claimed: BullMQ delivers the job again, and after that the sweep publishes the chunk again.
    if (!chunk) throw error;
    await untilDatabaseAnswers(deps, () => handleError(error, chunk, deps));
  }
}

/** Throws if a chunk was claimed too often without an end. */
function checkClaimLimit({ claims, attempts }: ChunkRecord): void {
  if (claims - attempts <= claimsMax) return;
  throw new CannotSucceed(`Started ${claims} times and never finished; the process was killed each time`);
}

/** A chunk with its import, which has to be running. */
async function workOf(db: Db, chunk: StartedChunk, { database, signal }: Deps): Promise<ChunkWork> {
  const record = await findImport(db, chunk.import_id);
  const isRunning = record?.status === runningStatusOf(chunk.stage);
  if (!isRunning) throw new ImportNotRunning(chunk.import_id, chunk.stage);
  return { chunk, import: record, database, signal };
}

/** Does a chunk on the connection that holds its claim. */
async function performPinned(
  chunk: StartedChunk,
  connection: PinnedConnection,
  step: StageWork,
  deps: Deps,
): Promise<void> {
  const { signal } = deps;
  if (chunk.kind === 'task') return performTask({ chunk, connection, signal }, step, deps);
  // Not on another connection of the pool: a pool whose connections are all pinned would wait for itself.
  const work = await workOf(connection.db, chunk, deps);
  if (chunk.kind === 'finalize') {
    return inParts({ chunk, connection, signal }, () => step.finalize(connection.db, chunk), deps);
  }
  return 'perform' in step ? step.perform({ ...work, connection }) : step.performOnPool(work);
}

/** After this time a finalize or a task releases its chunk, so that chunks of other imports run in between. */
const partsMsMax = 2_000;
/** A part that runs longer than this after the request to stop is cancelled; the parts before it are stored. */
const partAtStopMsMax = 4_000;
/** Between two statements there is nothing to cancel, so the cancel is repeated. */
const cancelEveryMs = 500;

/** Does part after part until the last one; `part` returns whether it was the last. */
async function inParts(
  work: Omit<PinnedWork, 'import' | 'database'>,
  part: () => Promise<boolean>,
  deps: Deps,
): Promise<void> {
  if (work.signal.aborted) throw new ReleaseChunk();
  let timer: NodeJS.Timeout | undefined;
  const onStop = () => {
    const since = performance.now();
    timer = setInterval(() => {
      if (performance.now() - since > partAtStopMsMax) cancelStatement(work.chunk, deps);
    }, cancelEveryMs);
  };
  work.signal.addEventListener('abort', onStop, { once: true });
  const until = performance.now() + partsMsMax;
  try {
    while (!(await part())) {
      if (work.signal.aborted || performance.now() > until) throw new ReleaseChunk();
    }
  } catch (error) {
    throw work.signal.aborted && isCancelledStatement(error) ? new ReleaseChunk() : error;
  } finally {
    work.signal.removeEventListener('abort', onStop);
    clearInterval(timer);
  }
}

/** Until then a worker that knows the task may take it. */
const unknownTaskMs = 1_000;

async function performTask(
  work: Omit<PinnedWork, 'import' | 'database'>,
  { tasks }: StageWork,
  deps: Deps,
): Promise<void> {
  const { chunk, connection } = work;
  const task = chunk.task && tasks[chunk.task];
  // During an update old and new workers share a queue.
  if (!task) throw new RetryLater('Waits for a worker of a newer version.', { waitMs: unknownTaskMs });
  const part = async () => {
    const progress = await task(connection.db, chunk);
    if (typeof progress === 'object') throw new RetryLater(progress.waitFor, { waitMs: progress.waitMs });
    return progress === 'done';
  };
  try {
    await inParts(work, part, deps);
  } finally {
    // Screens show the progress. Not in the transaction of a part: those never lock the import.
    await changeImport(connection.db, chunk.import_id, {});
  }
}

/** Cancels the statement that runs on the claim's connection, if the claim still holds. */
async function cancelStatement(chunk: ChunkRecord, { database, logger }: Deps): Promise<void> {
  await database.pool
    .query(
      `select pg_cancel_backend(claim_pid) from chunks
       where id = $1 and publication = $2 and claims = $3 and state = 'published'`,
      [chunk.id, chunk.publication, chunk.claims],
    )
    .catch((err) => logger.warn({ err, chunkId: chunk.id }, 'A statement could not be cancelled'));
}

/** Decides by the kind of error what happens to the chunk. */
async function handleError(error: unknown, chunk: StartedChunk, deps: Deps): Promise<void> {
  const { database, logger } = deps;
  if (error instanceof ChunkFenced) return;
  const ids = { chunkId: chunk.id, importId: chunk.import_id, stage: chunk.stage, run: chunk.run };
  if (error instanceof ImportNotRunning || error instanceof ReleaseChunk) {
    await releaseChunk(database.db, chunk);
    return;
  }
  if (error instanceof RetryLater || isDatabaseUnavailable(error)) {
    await waitVisibly(chunk, error as Error, deps);
    return;
  }
  if (error instanceof StageFailed) {
    // In one transaction: in between, the relay could publish the chunk again and the import could still complete.
    const isFailed = await database.db.transaction().execute(async (trx) => {
      const isHeld = await releaseChunk(trx, chunk);
      return isHeld && failImport(trx, chunk.import_id, chunk.stage, error.message, chunk.start);
    });
    if (isFailed) logger.error({ ...ids, err: error }, 'The stage cannot continue');
    else logger.warn({ ...ids, err: error }, 'A chunk of an earlier start could not continue');
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof CannotSucceed)) {
    const attempts = await countAttempt(database.db, chunk, message);
    if (attempts < attemptsMax) {
      logger.warn({ ...ids, err: error, attempts }, 'A chunk failed and will be retried');
      throw error;
    }
  }
  logger.error({ ...ids, err: error }, 'A chunk is dead');
  await recordFailure(chunk, message, database);
  throw new UnrecoverableError(message);
}

/** Defers the chunk, and shows on its import what it waits for and until when. */
async function waitVisibly(chunk: StartedChunk, error: Error, { database, logger }: Deps): Promise<void> {
  const cause =
    error instanceof RetryLater ? error.message : (refusalSentence(error) ?? 'The database was unavailable.');
  const waitMs = error instanceof RetryLater ? error.waitMs : undefined;
  const until = await deferChunk(database.db, chunk, { cause, waitMs });
  if (!until) return;
  logger.warn({ chunkId: chunk.id, importId: chunk.import_id, err: error, until }, 'A chunk is waiting');
  if (chunk.kind === 'task') return;
  await showWaiting(database.db, chunk, { cause, until });
}

async function recordFailure(
  chunk: ChunkRecord & ChunkOfRun & ClaimedChunk,
  cause: string,
  database: OpenDatabase,
) {
  await database.db.transaction().execute((trx) => {
    if (chunk.kind === 'task') return failTask(trx, chunk, cause);
    if (chunk.kind === 'finalize') return failFinalize(trx, chunk, cause);
    return failChunk(trx, chunk, placeOf(chunk), cause);
  });
}

function placeOf(chunk: ChunkRecord): string {
  if (chunk.kind === 'split') return 'Re-reading the file';
  const range = rangeOf(chunk);
  return range.charAt(0).toUpperCase() + range.slice(1);
}

const databaseRetryMs = 500;

/** Retries while the database is unavailable, so that what happened to a chunk is always recorded. */
async function untilDatabaseAnswers(deps: Deps, record: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await record();
      return;
    } catch (error) {
      if (!isDatabaseUnavailable(error) || deps.signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, databaseRetryMs));
    }
  }
}
