import { readSettings } from '@draftshelf/core/access/settings';
import type { WatchedFileRecord, WatchSourceRecord } from '@draftshelf/core/connection/schema';
import { endSettling, listSettled, replaceVersion } from '@draftshelf/core/folders/claimed-files';
import { listWatchSources } from '@draftshelf/core/folders/sources';
import {
  type FileSource,
  FileUnreadable,
  FolderUnreadable,
  type FoundFile,
  type Place,
} from '@draftshelf/folders/file-source';
import { answerWithin, NoAnswerError, untilAborted } from '@draftshelf/runtime/answer-within';
import { laterMs, settleMsOf } from './look.ts';
import { type FolderWorker, kindsOf, knownFileOf, placeOf, storeUnreadable } from './parts.ts';

/** Files that have not changed since the last look are read next; the others wait again. */
export async function settleFiles(worker: FolderWorker): Promise<void> {
  const { database, sources, signal } = worker;
  const files = await listSettled(database.db, kindsOf(sources));
  if (files.length === 0) return;
  const places = await listWatchSources(database.db);
  const silent = new Set<string>();
  for (const file of files) {
    if (signal.aborted) return;
    const source = places.find(({ id }) => id === file.source);
    if (!source || silent.has(source.id)) continue;
    if (!(await settle(worker, { file, source }))) silent.add(source.id);
  }
}

/** Settles a file; false if its place does not answer, so that other files wait. */
async function settle(
  worker: FolderWorker,
  { file, source }: { file: WatchedFileRecord; source: WatchSourceRecord },
): Promise<boolean> {
  const { database, logger } = worker;
  const place = placeOf(source);
  const fileSource = worker.sources[source.kind];
  if (!place || !fileSource) return true;
  try {
    const now = await recheckFile(worker, { file, place, fileSource });
    if (now.is === 'gone') await endSettling(database.db, file, { is: 'gone' });
    if (now.is !== 'same') return true;
    const { unreadable } = now.found;
    const result = unreadable
      ? ({ is: 'later', reason: unreadable.because, waitMs: laterMs } as const)
      : ({ is: 'settled' } as const);
    await endSettling(database.db, file, result);
    return true;
  } catch (error) {
    if (worker.signal.aborted) return false;
    if (error instanceof FolderUnreadable) {
      await database.db.transaction().execute((trx) => storeUnreadable(trx, { id: source.id }, error));
      return false;
    }
    logger.warn({ err: error, file: file.id }, 'A file could not be looked at');
    const reason = error instanceof FileUnreadable ? error.message : 'The file could not be looked at.';
    await endSettling(database.db, file, { is: 'later', reason, waitMs: laterMs });
    return !(error instanceof NoAnswerError);
  }
}

const recheckMsMax = 30_000;

/** Looks at a file again. Another version replaces it and settles for at least `settleMsMin`. */
export async function recheckFile(
  { database, signal }: Pick<FolderWorker, 'database' | 'signal'>,
  { file, place, fileSource }: { file: WatchedFileRecord; place: Place; fileSource: FileSource },
  { settleMsMin = 0 }: { settleMsMin?: number } = {},
): Promise<{ is: 'gone' | 'replaced' } | { is: 'same'; found: FoundFile }> {
  const found = await answerWithin(recheckMsMax, 'The folder', (timeout) =>
    untilAborted(fileSource.recheck(place, knownFileOf(file), AbortSignal.any([timeout, signal])), signal),
  );
  if (!found) return { is: 'gone' };
  if (found.version === file.version) return { is: 'same', found };
  const { version, name, bytes, modifiedAt, etag } = found;
  const settleMs = Math.max(settleMsOf(place, await readSettings(database.db)), settleMsMin);
  const current = { version, name, bytes, modified_at: modifiedAt, etag, settleMs };
  await database.db.transaction().execute((trx) => replaceVersion(trx, file, current));
  return { is: 'replaced' };
}
