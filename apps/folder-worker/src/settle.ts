import { endSettling, listSettled, replaceVersion } from '@draftshelf/database/folders/claimed-files';
import { listSources } from '@draftshelf/database/folders/sources';
import type { WatchedFileRecord, WatchSourceRecord } from '@draftshelf/database/schema';
import { readSettings } from '@draftshelf/database/settings';
import type { Settings } from '@draftshelf/domain/settings';
import type { FoundFile } from '@draftshelf/folders/file-source';
import { FolderUnreadable } from '@draftshelf/folders/file-source';
import { answerWithin, NoAnswerError } from '@draftshelf/runtime/answer-within';
import { untilAborted } from '@draftshelf/runtime/until-aborted';
import { laterMs, settleMsOf } from './look.ts';
import { type FolderWorker, kindsOf } from './parts.ts';
import { knownFileOf, placeOf, storeUnreadable } from './source-records.ts';

const recheckMsMax = 30_000;

/** Looks at the files that settle: those that have not changed are read next, the others settle again. */
export async function settleFiles(worker: FolderWorker): Promise<void> {
  const { database, sources, signal } = worker;
  const files = await listSettled(database.db, kindsOf(sources));
  if (files.length === 0) return;
  const [places, settings] = await Promise.all([listSources(database.db), readSettings(database.db)]);
  for (const file of files) {
    if (signal.aborted) return;
    const source = places.find(({ id }) => id === file.source);
    if (source && !(await settle(worker, { file, source, settings }))) return;
  }
}

/** Looks at one file. False: its place does not answer now, so the others wait. */
async function settle(
  worker: FolderWorker,
  { file, source, settings }: { file: WatchedFileRecord; source: WatchSourceRecord; settings: Settings },
): Promise<boolean> {
  const { database, logger } = worker;
  const place = placeOf(source);
  const fileSource = worker.sources[source.kind];
  if (!place || !fileSource) return true;
  try {
    const found = await answerWithin(recheckMsMax, 'The folder', (timeout) => {
      const signal = AbortSignal.any([timeout, worker.signal]);
      return untilAborted(fileSource.recheck(place, knownFileOf(file), signal), worker.signal);
    });
    if (!found) await endSettling(database.db, file, { is: 'gone' });
    else if (found.version !== file.version) {
      const current = currentVersion(found, settleMsOf(place, settings));
      await database.db.transaction().execute((trx) => replaceVersion(trx, file, current));
    } else if (found.unreadable) {
      const { because: reason } = found.unreadable;
      await endSettling(database.db, file, { is: 'later', reason, waitMs: laterMs });
    } else await endSettling(database.db, file, { is: 'settled' });
    return true;
  } catch (error) {
    if (worker.signal.aborted) return false;
    if (error instanceof FolderUnreadable) {
      await database.db.transaction().execute((trx) => storeUnreadable(trx, { id: source.id }, error));
      return false;
    }
    logger.warn({ err: error, file: file.id }, 'A file could not be looked at');
    const reason = 'The file could not be looked at.';
    await endSettling(database.db, file, { is: 'later', reason, waitMs: laterMs });
    return !(error instanceof NoAnswerError);
  }
}

/** The columns of a version that was found. */
export function currentVersion(found: FoundFile, settleMs: number) {
  const { version, name, bytes, modifiedAt, etag } = found;
  return { version, name, bytes, modified_at: modifiedAt, etag, settleMs };
}
