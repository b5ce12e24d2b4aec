import type { WatchedFileRecord } from '@draftshelf/core/connection/schema';
import {
  claimFileAction,
  deferFileAction,
  endClaim,
  endOption,
  keepUnimportedFiles,
  retryMinutes,
} from '@draftshelf/core/folders/claimed-files';
import { recordTrouble } from '@draftshelf/core/folders/sources';
import { toArchiveName } from '@draftshelf/folders/file-rules';
import { type DisposalResult, FolderUnreadable } from '@draftshelf/folders/file-source';
import { callWithTimeout } from '@draftshelf/runtime/answer-within';
import { type FolderContext, readPlaceOfFile, toKnownFile } from './parts.ts';

const filesMax = 50;
const optionMsMax = 50_000;
const failedWaitMs = 60_000;
const notFound = 'The file was no longer in the folder.';

/** Moves or deletes imported files. Safe to repeat: after a crash, the next process completes interrupted work. */
export async function moveOrDeleteFiles(worker: FolderContext): Promise<void> {
  const { database, kind, signal } = worker;
  await keepUnimportedFiles(database.db, kind);
  for (let done = 0; done < filesMax && !signal.aborted; done += 1) {
    const file = await claimFileAction(database.db, kind);
    if (!file) return;
    await doOption(worker, file);
  }
}

async function doOption(worker: FolderContext, file: WatchedFileRecord): Promise<void> {
  const { database, logger } = worker;
  try {
    await storeDisposal(worker, file, await act(worker, file));
  } catch (error) {
    if (worker.signal.aborted) {
      await endClaim(database.db, file, {});
      return;
    }
    const sentence = 'The file could not be moved or deleted.';
    logger.warn({ err: error, file: file.id }, 'A file could not be moved or deleted');
    const isOfFolder = error instanceof FolderUnreadable;
    // A file that fails every time is deferred, so that it doesn't block other files.
    if (isOfFolder && (error.kind !== 'network' || file.attempts === 0))
      await endClaim(database.db, file, error.kind === 'network' ? { attempts: 1 } : {});
    else await deferFileAction(database.db, file, { sentence, waitMs: failedWaitMs });
    if (isOfFolder)
      await database.db.transaction().execute((trx) => recordTrouble(trx, { id: file.source }, error));
  }
}

async function act(worker: FolderContext, file: WatchedFileRecord): Promise<DisposalResult> {
  const { fileSource } = worker;
  const place = await readPlaceOfFile(worker, file);
  const known = toKnownFile(file);
  return callWithTimeout(optionMsMax, 'The folder', (timeout) => {
    const signal = AbortSignal.any([timeout, worker.signal]);
    return file.option_wanted === 'archive'
      ? fileSource.archive(place, known, toArchiveName(file.name, file.first_seen_at), signal)
      : fileSource.remove(place, known, signal);
  });
}

async function storeDisposal(worker: FolderContext, file: WatchedFileRecord, disposal: DisposalResult) {
  const { db } = worker.database;
  const isArchive = file.option_wanted === 'archive';
  // A file counts as gone if it is missing twice. `reason` marks the first miss; `attempts` counts all failures.
  const isFirstMiss = file.reason !== notFound && file.attempts < retryMinutes.length;
  if (disposal.is === 'missing' && isFirstMiss)
    return deferFileAction(db, file, { sentence: notFound, waitMs: failedWaitMs });
  switch (disposal.is) {
    case 'done':
      return endOption(db, file, { option: isArchive ? 'archived' : 'deleted', newKey: disposal.newKey });
    case 'missing':
    case 'gone':
      // The file is gone, and not because we moved or deleted it.
      return endOption(db, file, isArchive ? { option: 'left', reason: notFound } : { option: 'deleted' });
    case 'changed':
      return endOption(db, file, { option: 'left', reason: 'The file had changed, so it stayed.' });
    case 'kept':
      return endOption(db, file, { option: 'kept', reason: disposal.sentence });
    case 'later':
      return deferFileAction(db, file, disposal);
  }
}
