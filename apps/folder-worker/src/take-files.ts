import { isDatabaseUnavailable } from '@draftshelf/core/connection/database';
import type { WatchedFileRecord } from '@draftshelf/core/connection/schema';
import { beginImportFromFolder } from '@draftshelf/core/folders/begin-from';
import { claimFile, endClaim, endFailedRead } from '@draftshelf/core/folders/claimed-files';
import { ClaimLost, recordTrouble } from '@draftshelf/core/folders/sources';
import { recallMapping } from '@draftshelf/core/reading/mappings';
import {
  discardIfUnused,
  FileRefused,
  refineRefusal,
  type TakenFile,
  takeFile,
} from '@draftshelf/core/reading/take-file';
import { toShownFilename } from '@draftshelf/domain/base/file-name';
import { toFolderSentence } from '@draftshelf/folders/file-rules';
import {
  FileChanged,
  FileGone,
  FileUnreadable,
  FolderUnreadable,
  type Place,
} from '@draftshelf/folders/file-source';
import { limitPace } from '@draftshelf/folders/pieces-in-time';
import { isStorageUnavailable } from '@draftshelf/object-storage/object-errors';
import { callWithTimeout, rejectOnAbort } from '@draftshelf/runtime/answer-within';
import { type FolderContext, readPlaceOfFile, toKnownFile } from './parts.ts';
import { recheckFile } from './settle.ts';

/** Maximum number of files that are read before the worker looks at settling files again. */
const filesMax = 20;
/** Time limits of reading: for each piece of the content, and for the whole file. */
const pieceMsMax = 30_000;
const readMsMax = 900_000;

/** Reads waiting files, oldest first, while imports may begin. `isLast` is true if no file is left. */
export async function readWaitingFiles(worker: FolderContext): Promise<{ isLast: boolean }> {
  const { database, kind, holder, signal } = worker;
  for (let taken = 0; taken < filesMax && !signal.aborted; taken += 1) {
    const claim = await database.db.transaction().execute((trx) => claimFile(trx, kind, holder));
    if (claim.is !== 'claimed') return { isLast: claim.is === 'none' };
    const { file } = claim;
    await takeClaimed({ worker, file, place: await readPlaceOfFile(worker, file) });
  }
  return { isLast: false };
}

type Claimed = { worker: FolderContext; file: WatchedFileRecord; place: Place };

async function takeClaimed(claimed: Claimed): Promise<void> {
  const { worker, file } = claimed;
  try {
    await importClaimed(claimed).catch((error) => {
      if (!(error instanceof FileChanged)) throw error;
      return waitForChanged(claimed);
    });
  } catch (error) {
    await endWithError(claimed, error);
    if (isDatabaseUnavailable(error)) throw error;
  }
  worker.logger.debug({ file: file.id }, 'A file of a folder was read');
}

async function importClaimed(claimed: Claimed): Promise<void> {
  const taken = await readClaimed(claimed);
  // If the file's version has changed during the read, the new version has to settle before it is read.
  await discardIfUnused(taken, claimed.worker.storage, async () => {
    return (await recheckClaimed(claimed)) === 'same' && begin(claimed, taken);
  });
}

async function waitForChanged(claimed: Claimed): Promise<void> {
  const { worker, file } = claimed;
  if ((await recheckClaimed(claimed)) !== 'same') return;
  await endClaim(worker.database.db, file, { state: 'waiting', waitMs: changedSettleMs });
}

async function readClaimed({ worker, file, place }: Claimed): Promise<TakenFile> {
  const { database, storage, limits, fileSource } = worker;
  const { db } = database;
  const reading = AbortSignal.any([worker.signal, AbortSignal.timeout(readMsMax)]);
  const pieces = await callWithTimeout(pieceMsMax, 'The folder', (timeout) =>
    rejectOnAbort(
      fileSource.read(place, toKnownFile(file), AbortSignal.any([reading, timeout])),
      worker.signal,
    ),
  );
  return takeFile(limitPace(pieces, 'The folder', { pieceMsMax }, reading), {
    db,
    storage,
    limits,
    recall: (headers) => recallMapping(db, headers),
    signal: reading,
  });
}

async function recheckClaimed({ worker, file, place }: Claimed): Promise<'gone' | 'replaced' | 'same'> {
  const { is } = await recheckFile(worker, file, place, { settleMsMin: changedSettleMs });
  if (is === 'gone') await endClaim(worker.database.db, file, { state: 'gone', reason: null });
  return is;
}

/** Minimum settling time of a file that changed while it was read. */
const changedSettleMs = 1_000;

/** Begins an import, unless the content is known. Returns whether it began one. */
async function begin({ worker, file, place }: Claimed, taken: TakenFile): Promise<boolean> {
  const { database } = worker;
  const currency = await worker.currency();
  const { is, importId } = await database.db.transaction().execute((trx) =>
    beginImportFromFolder(trx, file, taken, {
      filename: toShownFilename(file.name) || 'file.csv',
      source: worker.kind,
      path: `${place.path}/${file.name}`,
      currency,
    }),
  );
  worker.logger.info({ importId, source: worker.kind, bytes: taken.fileBytes, is }, 'import received');
  return is === 'taken';
}

async function endWithError({ worker, file }: Claimed, error: unknown): Promise<void> {
  const { db } = worker.database;
  const giveBack = (change: { attempts?: number } = {}) =>
    endClaim(db, file, { ...change, state: 'waiting' });
  if (error instanceof ClaimLost) {
    worker.logger.warn({ err: error }, 'Another process reads this file');
  } else if (isDatabaseUnavailable(error)) {
    // If the process stops, the next process reads the file, unless an import began and only the reply was lost.
  } else if (worker.signal.aborted) {
    await giveBack();
  } else if (error instanceof FileGone) {
    await endClaim(db, file, { state: 'gone', reason: null });
  } else if (error instanceof FileRefused && error.reason === 'workbook_damaged') {
    // The workbook may seem damaged only because a program is still writing it or provides only a part of it.
    await endFailedRead(db, file, toFolderSentence(error.message));
  } else if (error instanceof FileRefused) {
    const { message } = refineRefusal(error, file.name);
    await endClaim(db, file, { state: 'refused', reason: toFolderSentence(message) });
  } else if (error instanceof FolderUnreadable) {
    const isAgain = error.kind === 'network' && file.attempts > 0;
    // A file that fails every time is deferred, so that it doesn't block other files.
    if (isAgain) await endFailedRead(db, file, error.message);
    else await giveBack(error.kind === 'network' ? { attempts: 1 } : {});
    await db.transaction().execute((trx) => recordTrouble(trx, { id: file.source }, error));
  } else {
    worker.logger.warn({ err: error, file: file.id }, 'A file of a folder could not be read');
    await endFailedRead(db, file, failureSentence(error));
  }
}

function failureSentence(error: unknown): string {
  if (error instanceof FileUnreadable) return error.message;
  if (isStorageUnavailable(error)) return 'The object storage could not be reached.';
  return 'The file could not be read.';
}
