import { readSettings } from '@draftshelf/core/access/settings';
import type { WatchedFileRecord } from '@draftshelf/core/connection/schema';
import { endSettling, listSettledFiles, replaceVersion } from '@draftshelf/core/folders/claimed-files';
import { findWatchSource, recordTrouble } from '@draftshelf/core/folders/sources';
import {
  FileUnreadable,
  FolderUnreadable,
  type FoundFile,
  type Place,
} from '@draftshelf/folders/file-source';
import { callWithTimeout, NoAnswerError, rejectOnAbort } from '@draftshelf/runtime/answer-within';
import { getSettleMs, unreadablePauseMs } from './look.ts';
import { type FolderContext, toFolderPlace, toKnownFile } from './parts.ts';

/** Marks files as ready to be read if they have not changed since the last look. Changed files settle again. */
export async function settleFiles(worker: FolderContext): Promise<void> {
  const { database, kind, signal } = worker;
  const files = await listSettledFiles(database.db, kind);
  const source = files.length === 0 ? undefined : await findWatchSource(database.db, kind);
  const place = source && toFolderPlace(source);
  if (!place) return;
  for (const file of files) {
    if (signal.aborted || !(await settle(worker, file, place))) return;
  }
}

/** Settles a file. Returns false if the watched place does not respond, so that the other files must wait. */
async function settle(worker: FolderContext, file: WatchedFileRecord, place: Place): Promise<boolean> {
  const { database, logger } = worker;
  try {
    const now = await recheckFile(worker, file, place);
    if (now.is === 'gone') await endSettling(database.db, file, { state: 'gone', reason: null });
    if (now.is !== 'same') return true;
    const { unreadable } = now.found;
    if (unreadable) await settleLater(worker, file, unreadable.because);
    else await endSettling(database.db, file, { state: 'waiting', reason: null });
    return true;
  } catch (error) {
    if (worker.signal.aborted) return false;
    if (error instanceof FolderUnreadable) {
      await database.db.transaction().execute((trx) => recordTrouble(trx, { id: file.source }, error));
      return false;
    }
    logger.warn({ err: error, file: file.id }, 'A file could not be looked at');
    const reason = error instanceof FileUnreadable ? error.message : 'The file could not be looked at.';
    await settleLater(worker, file, reason);
    return !(error instanceof NoAnswerError);
  }
}

const settleLater = ({ database }: FolderContext, file: WatchedFileRecord, reason: string) =>
  endSettling(database.db, file, { state: 'settling', reason, waitMs: unreadablePauseMs });

const recheckMsMax = 30_000;

/** Looks at a file again. Another version replaces the known one and settles for at least `settleMsMin`. */
export async function recheckFile(
  { database, fileSource, signal }: FolderContext,
  file: WatchedFileRecord,
  place: Place,
  { settleMsMin = 0 }: { settleMsMin?: number } = {},
): Promise<{ is: 'gone' | 'replaced' } | { is: 'same'; found: FoundFile }> {
  const found = await callWithTimeout(recheckMsMax, 'The folder', (timeout) =>
    rejectOnAbort(fileSource.recheck(place, toKnownFile(file), AbortSignal.any([timeout, signal])), signal),
  );
  if (!found) return { is: 'gone' };
  if (found.version === file.version) return { is: 'same', found };
  const { version, name, bytes, modifiedAt } = found;
  const settleMs = Math.max(getSettleMs(place, await readSettings(database.db)), settleMsMin);
  const current = { version, name, bytes, modified_at: modifiedAt };
  await database.db.transaction().execute((trx) => replaceVersion(trx, file, current, settleMs));
  return { is: 'replaced' };
}
