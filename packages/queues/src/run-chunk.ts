import {
  type Db,
  type OpenDatabase,
  type PinnedConnection,
  withPinnedConnection,
} from '@draftshelf/core/connection/database';
import type { ChunkRecord, ImportRecord } from '@draftshelf/core/connection/schema';
import { changeImport, findImport } from '@draftshelf/core/imports/imports';
import { vacuumGrownTables } from '@draftshelf/core/review/vacuum';
import { toBackgroundTask } from '@draftshelf/core/work/background-tasks';
import { ChunkFenced, claimChunk, moveClaim, type StartedChunk } from '@draftshelf/core/work/claim-chunk';
import { ImportNotRunning } from '@draftshelf/core/work/complete-chunk';
import { readRun } from '@draftshelf/core/work/runs';
import type { CallingTask, TaskPartHandler } from '@draftshelf/core/work/tasks';
import { runningStatusOf, type Stage } from '@draftshelf/domain/imports/stages';
import type { Tallies } from '@draftshelf/domain/operate/tallies';
import {
  backgroundTaskOf,
  type ServiceTaskKind,
  type TaskKind,
  type taskCatalog,
} from '@draftshelf/domain/work/task-catalog';
import type { Logger } from '@draftshelf/runtime/logger';
import type { ChunkEnd } from '@draftshelf/runtime/metrics';
import { JobDead, ReleaseChunk, RetryLater, StageFailed } from './chunk-errors.ts';
import {
  checkClaimLimit,
  countUnendedClaims,
  recordError,
  retryWhileUnavailable,
  toErrorMessage,
} from './chunk-outcome.ts';
import type { ChunkPayload } from './pipeline.ts';
import { isDoneOrThrow, runParts } from './run-parts.ts';
import { performBackgroundTask, performCalls, retryWhileBusy, type ServedHandlers } from './run-task.ts';
import type { Slots } from './slots.ts';

export type ChunkWork = {
  chunk: StartedChunk;
  import: ImportRecord;
  database: Pick<OpenDatabase, 'db'>;
  /** Aborts when the process stops or another import gets the slot. Finish what has begun, then release the chunk. */
  signal: AbortSignal;
};

/** Work on a chunk with the connection that holds the claim. */
export type PinnedWork = ChunkWork & { connection: PinnedConnection };

type Perform =
  | { perform(work: PinnedWork): Promise<void> }
  /** For chunks that mostly wait for a service: their claims share a connection, and their statements use the pool. */
  | { performOnPool(work: ChunkWork): Promise<void> };

export type StageWork = Perform & {
  stage: Stage;
  /** Does the next part of a run's finalize, in its own transactions. Returns whether the finalize has ended. */
  finalize(db: PinnedConnection['db'], chunk: ChunkRecord): Promise<boolean>;
  /** The tasks of this stage in the domain's taskCatalog. */
  tasks: Partial<Record<TaskKind, TaskPartHandler | CallingTask>>;
  /** The background tasks of this worker in the domain's backgroundCatalog. */
  background?: ServedHandlers;
};

type KindsOf<S extends Stage> = {
  [K in TaskKind]: (typeof taskCatalog)[K]['stage'] extends S ? K : never;
}[TaskKind];

export type StageTasks<S extends Stage> = {
  [K in KindsOf<S>]: K extends ServiceTaskKind ? CallingTask : TaskPartHandler;
};

type Deps = {
  database: OpenDatabase;
  /** A pool with one connection, which holds all claims. Absent if each claim has its chunk's own connection. */
  claims?: OpenDatabase | undefined;
  logger: Logger;
  tallies: Tallies;
  onChunk?: ((end: ChunkEnd) => void) | undefined;
  /** The slots of chunks that are done on the pool. */
  slots?: Pick<Slots, 'hold'> | undefined;
  /** The id that this process has reported. */
  processId?: string | undefined;
  signal: AbortSignal;
};

/**
 * From this number of unended claims on, including the current one, a chunk's claims are counted as repeated. A killed
 * worker loses a claim per slot, which is harmless. A second loss points to a lack of memory, or to the chunk.
 */
const claimsRepeatedMin = 3;

/** Claims and processes the chunk of a job. Throws errors that BullMQ should retry or keep as failed. */
export async function runChunk(payload: ChunkPayload, step: StageWork, deps: Deps): Promise<void> {
  await runJob(payload, { ...deps, handlers: {} }, async ({ claim, move }) => {
    if (!deps.claims) {
      return withPinnedConnection(deps.database, async (connection) => {
        const chunk = await claim(connection.db);
        if (chunk) await performPinned(chunk, connection, step, deps);
      });
    }
    const chunk = await claim(deps.claims.db);
    if (chunk?.kind === 'work' && 'performOnPool' in step) return performOnPool(chunk, step, deps);
    if (chunk?.kind === 'task') return performTask(chunk, null, step, deps);
    if (!chunk) return;
    await withPinnedConnection(deps.database, async (connection) => {
      await performPinned(await move(connection.db, chunk), connection, step, deps);
    });
  });
}

/** Like runChunk, but for a background task. Its process holds the claim, so all statements use the pool. */
export async function runTask(payload: ChunkPayload, handlers: ServedHandlers, deps: JobDeps): Promise<void> {
  await runJob(payload, { ...deps, handlers }, async ({ claim }) => {
    // The claim is repeated if its response was lost: no other process can claim the task while this one lives.
    const task = await retryWhileUnavailable(deps, () => claim(deps.database.db));
    if (task) await performBackgroundTask(task, handlers, deps);
  });
}

type JobDeps = Pick<Deps, 'logger' | 'tallies' | 'onChunk' | 'processId' | 'signal'> & {
  database: Pick<OpenDatabase, 'db'>;
};

type Claiming = {
  claim(db: PinnedConnection['db']): Promise<StartedChunk | undefined>;
  move(db: PinnedConnection['db'], chunk: StartedChunk): Promise<StartedChunk>;
};

async function runJob(
  { chunkId: id, publication }: ChunkPayload,
  deps: JobDeps & { handlers: ServedHandlers },
  perform: (claiming: Claiming) => Promise<void>,
): Promise<void> {
  let claimed: StartedChunk | undefined;
  const began = performance.now();
  const isOfImport = () => claimed?.subject === null;
  const report = (outcome: string) => {
    if (!claimed || !isOfImport()) return;
    const { stage, kind, rows, products } = claimed;
    const seconds = (performance.now() - began) / 1000;
    deps.onChunk?.({ stage, kind, outcome, seconds, rows: kind === 'work' ? (rows ?? products ?? 0) : 0 });
  };
  const claiming: Claiming = {
    async claim(db) {
      claimed = await claimChunk(db, { id, publication }, deps.processId);
      if (!claimed) return undefined;
      if (isOfImport() && countUnendedClaims(claimed) >= claimsRepeatedMin)
        deps.tallies.add('claims-repeated');
      await checkClaimLimit(db, claimed, placeOfWork(claimed));
      return claimed;
    },
    async move(db, chunk) {
      claimed = await moveClaim(db, chunk);
      return claimed;
    },
  };
  try {
    await perform(claiming);
    report('done');
  } catch (error) {
    const chunk = claimed;
    // Without a claim, BullMQ delivers the job again, or else the sweep publishes the chunk again.
    if (!chunk) throw error;
    const outcome = await recordError(error, chunk, deps);
    report(outcome === 'settled' ? settledAs(error) : outcome === 'dead' ? 'dead' : 'failed');
    if (outcome === 'again') throw error;
    if (outcome === 'dead') throw new JobDead(toErrorMessage(error));
  } finally {
    if (claimed?.kind === 'task' && isOfImport()) await showProgress(claimed, deps);
  }
}

/** The kind of process that processes a chunk. */
const placeOfWork = (chunk: ChunkRecord): string =>
  chunk.subject === null ? `${chunk.stage}-worker` : backgroundTaskOf(toBackgroundTask(chunk).kind).place;

function settledAs(error: unknown): string {
  if (error instanceof ChunkFenced) return 'fenced';
  if (error instanceof ReleaseChunk || error instanceof ImportNotRunning) return 'released';
  return error instanceof StageFailed ? 'failed' : 'waiting';
}

async function workOf(db: Db, chunk: StartedChunk, { database, logger, signal }: Deps): Promise<ChunkWork> {
  const record = await findImport(db, chunk.import_id);
  const isRunning = record?.status === runningStatusOf(chunk.stage);
  if (!isRunning) throw new ImportNotRunning(chunk.import_id, chunk.stage);
  logBegin(logger, chunk, record);
  return { chunk, import: record, database, signal };
}

async function performOnPool(
  chunk: StartedChunk,
  step: Extract<Perform, { performOnPool: unknown }>,
  deps: Deps,
): Promise<void> {
  const work = await workOf(deps.database.db, chunk, deps);
  if (!deps.slots) return step.performOnPool(work);
  await deps.slots.hold(chunk.import_id, (releasing) =>
    step.performOnPool({ ...work, signal: AbortSignal.any([work.signal, releasing]) }),
  );
}

async function performPinned(
  chunk: StartedChunk,
  connection: PinnedConnection,
  step: StageWork,
  deps: Deps,
): Promise<void> {
  if (chunk.kind === 'task') return performTask(chunk, connection.db, step, deps);
  // Other chunks may have pinned all connections of the pool, so this statement uses the claim's own connection.
  const work = await workOf(connection.db, chunk, deps);
  if (chunk.kind === 'finalize') {
    const finalize = () => step.finalize(connection.db, chunk);
    await runParts(chunk, withVacuum(connection.db, finalize), deps);
  } else if ('perform' in step) await step.perform({ ...work, connection });
  else await step.performOnPool(work);
  await logEnd(deps.logger, connection.db, chunk).catch((err) => {
    deps.logger.warn({ err, importId: chunk.import_id }, 'The end of a run could not be read');
  });
}

/** Vacuums after each part that changes many rows, because each change leaves a dead row version. */
const withVacuum = (db: PinnedConnection['db'], part: () => Promise<boolean>) => async () => {
  const isLast = await part();
  await vacuumGrownTables(db);
  return isLast;
};

/** `pinned`: the claim's own connection. Null if claims share a connection, on which no statement may be cancelled. */
async function performTask(
  chunk: StartedChunk,
  pinned: PinnedConnection['db'] | null,
  { tasks }: StageWork,
  deps: Deps,
): Promise<void> {
  const task = chunk.task && tasks[chunk.task];
  // The task was inserted by a newer version.
  if (!task) throw new RetryLater('Waits for a version that knows it.');
  if (typeof task === 'object')
    return performCalls(chunk, task, { ...deps, claims: deps.claims ?? deps.database });
  const part = async () => isDoneOrThrow(await task(pinned ?? deps.database.db, chunk, deps.signal));
  await (pinned ? runParts(chunk, withVacuum(pinned, part), deps) : runParts(null, part, deps));
}

/** Raises the import's version, so that screens show progress. Task parts do not, as they never lock the import. */
async function showProgress(chunk: StartedChunk, { database, logger, signal }: JobDeps): Promise<void> {
  await retryWhileBusy(() => changeImport(database.db, chunk.import_id, {}), signal).catch((err) => {
    logger.warn({ err, chunkId: chunk.id }, 'Screens show the progress of a task later');
  });
}

type Ids = Pick<ChunkRecord, 'import_id' | 'stage' | 'run'>;

const idsOf = ({ import_id, stage, run }: Ids) => ({ importId: import_id, stage, run });

function logBegin(logger: Logger, chunk: ChunkRecord, record: ImportRecord): void {
  if (chunk.kind === 'split') logger.info(idsOf(chunk), 'split begun');
  const isFirst = chunk.kind === 'work' && chunk.sequence === 0 && chunk.publication === 1;
  if (!isFirst || chunk.claims > 1) return;
  const { total_rows: rows, total_products: products } = record;
  logger.info({ ...idsOf(chunk), rows, products }, 'stage begun');
}

/** Reads the import again, because the chunk's transactions have changed it. */
async function logEnd(logger: Logger, db: Db, chunk: ChunkRecord): Promise<void> {
  if (chunk.kind !== 'split' && chunk.kind !== 'finalize') return;
  const record = await findImport(db, chunk.import_id);
  const run = await readRun(db, chunk, ['started_at', 'ended_at']);
  if (!record) return;
  if (chunk.kind === 'split') {
    const { total_rows: rows, total_products: products } = record;
    logger.info({ ...idsOf(chunk), rows, products }, 'split ended');
    return;
  }
  const tookMs = (run.ended_at ?? new Date()).getTime() - run.started_at.getTime();
  const ended = { ...idsOf(chunk), seconds: Math.round(tookMs / 100) / 10, status: record.status };
  logger.info({ ...ended, ...resultOf(chunk, record) }, 'stage ended');
}

function resultOf({ stage }: ChunkRecord, record: ImportRecord) {
  const { created, updated, unchanged, skipped, failed } = record;
  if (stage === 'push') return { created, updated, unchanged, skipped, failed };
  const { total_rows: rows, total_products: products } = record;
  if (stage === 'enrich') return { rows: record.enriched_rows };
  const { valid_products: valid, warning_products: warnings, error_products: errors } = record;
  return { rows, products, valid, warnings, errors };
}
