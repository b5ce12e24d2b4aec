import {
  attemptsMax,
  ChunkFenced,
  type ClaimedChunk,
  claimChunk,
  claimsMax,
  countAttempt,
  giveBack,
  putAside,
} from '@draftshelf/database/claims';
import {
  isDatabaseUnavailable,
  type OpenDatabase,
  onPinnedConnection,
  type PinnedConnection,
} from '@draftshelf/database/connect';
import {
  type ChunkOfRun,
  failImport,
  failSettle,
  handOverDead,
  ImportNotRunning,
  showWaiting,
} from '@draftshelf/database/hand-over';
import { findImport } from '@draftshelf/database/imports';
import type { ChunkRecord, ImportRecord } from '@draftshelf/database/schema';
import { runningStatusOf, type Stage } from '@draftshelf/domain/import-status';
import type { Logger } from '@draftshelf/runtime/logger';
import { UnrecoverableError } from 'bullmq';
import { CannotSucceed, StageCannotGoOn, Stopping, WaitForIt } from './chunk-errors.ts';
import type { ChunkPayload } from './pipeline.ts';

/** A claimed chunk with its import, and the connection that holds the claim. */
export type ChunkWork = {
  chunk: ChunkRecord;
  import: ImportRecord;
  connection: PinnedConnection;
  /** Aborted when the process is asked to stop: finish what is begun, give back the rest. */
  signal: AbortSignal;
};

export type StageWork = {
  stage: Stage;
  /** Does a work chunk: the effect and its hand-over in one transaction on `work.connection`. */
  perform(work: ChunkWork): Promise<void>;
  /** Does the last step of a run, in one transaction. */
  settle(work: ChunkWork): Promise<void>;
};

type Deps = { database: OpenDatabase; logger: Logger; signal: AbortSignal };

/**
 * One job: claims the chunk, does its work, and treats what is thrown. Returns when nothing is left to do for this
 * publication; throws what BullMQ should try again or keep as failed.
 */
export async function runChunk(payload: ChunkPayload, step: StageWork, deps: Deps): Promise<void> {
  let claimed: ChunkRecord | undefined;
  try {
    await onPinnedConnection(deps.database, async (connection) => {
      claimed = await claimChunk(connection.db, { id: payload.chunkId, publication: payload.publication });
      if (!claimed) return;
      if (claimed.claims - claimed.attempts > claimsMax) {
        throw new CannotSucceed(
          `The work was begun ${claimed.claims} times and never came to an end: its process was killed each time`,
        );
      }
      const record = await findImport(connection.db, claimed.import_id);
      if (record?.status !== runningStatusOf(claimed.stage)) {
        throw new ImportNotRunning(claimed.import_id, claimed.stage);
      }
      const work = { chunk: claimed, import: record, connection, signal: deps.signal };
      await (claimed.kind === 'settle' ? step.settle(work) : step.perform(work));
    });
  } catch (error) {
    const chunk = claimed;
    if (!chunk) throw error; // nothing is held: BullMQ delivers it again, and after that the sweep publishes it anew
    await untilDatabaseAnswers(deps, () => treatError(error, chunk, deps));
  }
}

/** Decides by the kind of error what becomes of the chunk; see invariant 8 of the design. */
async function treatError(error: unknown, chunk: ChunkRecord, deps: Deps): Promise<void> {
  const { database, logger } = deps;
  if (error instanceof ChunkFenced) return;
  const ids = { chunkId: chunk.id, importId: chunk.import_id, stage: chunk.stage, run: chunk.run };
  if (error instanceof ImportNotRunning || error instanceof Stopping) {
    await giveBack(database.db, chunk);
    return;
  }
  if (error instanceof WaitForIt || isDatabaseUnavailable(error)) {
    await waitVisibly(chunk, error as Error, deps);
    return;
  }
  if (error instanceof StageCannotGoOn) {
    logger.error({ ...ids, err: error }, 'The stage cannot go on');
    // At once: between the two the relay would publish the chunk anew, and the import could end well after all.
    await database.db.transaction().execute(async (trx) => {
      await giveBack(trx, chunk);
      await failImport(trx, chunk.import_id, chunk.stage, error.message);
    });
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof CannotSucceed)) {
    const attempts = await countAttempt(database.db, chunk, message);
    if (attempts < attemptsMax) {
      logger.warn({ ...ids, err: error, attempts }, 'A chunk failed and is tried again');
      throw error;
    }
  }
  logger.error({ ...ids, err: error }, 'A chunk is dead');
  await bury(chunk, message, database);
  throw new UnrecoverableError(message);
}

/** Puts the chunk aside and shows on its import what is waited for, and until when. */
async function waitVisibly(chunk: ChunkRecord, error: Error, { database, logger }: Deps): Promise<void> {
  const cause = error instanceof WaitForIt ? error.message : 'The database was away.';
  const waitMs = error instanceof WaitForIt ? error.waitMs : undefined;
  const until = await putAside(database.db, chunk, { cause, waitMs });
  if (!until) return;
  logger.warn({ chunkId: chunk.id, importId: chunk.import_id, err: error, until }, 'A chunk waits');
  await showWaiting(database.db, chunk, { cause, until });
}

async function bury(chunk: ChunkRecord & ChunkOfRun & ClaimedChunk, cause: string, database: OpenDatabase) {
  await database.db
    .transaction()
    .execute((trx) =>
      chunk.kind === 'settle'
        ? failSettle(trx, chunk, cause)
        : handOverDead(trx, chunk, placeOf(chunk), cause),
    );
}

function placeOf(chunk: ChunkRecord): string {
  if (chunk.kind === 'cut') return 'Reading the file anew';
  if (chunk.stage === 'push') {
    return `Products ${chunk.first_product}–${(chunk.first_product ?? 0) + (chunk.products ?? 0) - 1}`;
  }
  return `Rows ${chunk.first_row}–${(chunk.first_row ?? 0) + (chunk.rows ?? 0) - 1}`;
}

const databaseAwayPauseMs = 500;

/** What is to be recorded about a chunk must not be lost because the database is away just now. */
async function untilDatabaseAnswers(deps: Deps, record: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await record();
      return;
    } catch (error) {
      if (!isDatabaseUnavailable(error) || deps.signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, databaseAwayPauseMs));
    }
  }
}
