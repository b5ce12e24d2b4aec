import { readVersionedSettings } from '@draftshelf/core/access/settings';
import { isDatabaseUnavailable } from '@draftshelf/core/connection/database';
import type { WatchSourceRecord } from '@draftshelf/core/connection/schema';
import { findFilesByMark } from '@draftshelf/core/folders/claimed-files';
import {
  forgetOldFiles,
  markFilesGone,
  type SeenFile,
  storeSeenFiles,
} from '@draftshelf/core/folders/found-files';
import {
  beginLook,
  ClaimLost,
  endLook,
  endUnwatchedLook,
  lockLook,
  lookMsMax,
  makeLookDue,
  recordTrouble,
  releaseLook,
  setWatching,
  storeFolderLocation,
} from '@draftshelf/core/folders/sources';
import type { Settings } from '@draftshelf/domain/access/settings';
import type { SizeLimits } from '@draftshelf/domain/reading/list-files';
import { decideOnFile, isIgnoredName } from '@draftshelf/folders/file-rules';
import {
  FolderUnreadable,
  type FoundFile,
  type LookResult,
  type Place,
} from '@draftshelf/folders/file-source';
import { callWithTimeout, rejectOnAbort } from '@draftshelf/runtime/answer-within';
import { type FolderContext, toFolderPlace, toKnownFile } from './parts.ts';

/** Full auto pushes without a review, so a file must be unchanged `times` times as long, up to `msMax` in total. */
const fullAutoSettles = { times: 6, msMax: 60_000 };
/** Pause after which a file that cannot be read yet is looked at again. */
export const unreadablePauseMs = 60_000;
/** If this many files disappear at once, their drive is probably missing. */
const manyFiles = 50;

/** Maximum number of looks in a row at a folder that has more files to list. */
const looksMax = 10;

/** Looks at a folder if that is due or if the settings changed since version `before`, which is null if unknown. */
export async function lookIfDue(worker: FolderContext, before: number | null) {
  const { database, kind, signal } = worker;
  const { settings, version } = await readVersionedSettings(database.db);
  const everyMs = Number(settings.watchFrequency) * 60_000;
  const isOn = settings.oneDriveEnabled;
  await setWatching(database.db, kind, { isOn, everyMs });
  if (before !== null && before !== version) await makeLookDue(database.db, kind);
  let looks = 0;
  while (looks < looksMax && !signal.aborted) {
    const claimed = await beginLook(database.db, kind);
    if (!claimed) break;
    looks += 1;
    await lookAt(worker, claimed, settings);
  }
  return { hasLooked: looks > 0, settingsVersion: version };
}

async function lookAt(worker: FolderContext, claimed: WatchSourceRecord, settings: Settings): Promise<void> {
  const { database, logger } = worker;
  try {
    await callWithTimeout(lookMsMax, 'The folder', (timeout) => {
      const signal = AbortSignal.any([timeout, worker.signal]);
      return rejectOnAbort(lookOnce(worker, claimed, settings, signal), worker.signal);
    });
  } catch (error) {
    if (error instanceof ClaimLost) {
      logger.warn({ err: error, source: claimed.kind }, 'Another process looks at this folder');
    } else if (worker.signal.aborted) {
      await releaseLook(database.db, claimed);
    } else if (isDatabaseUnavailable(error)) {
      throw error;
    } else {
      const trouble = asUnreadable(error);
      // Trouble of kind 'setup' needs no warning: the operator has not connected the folder yet.
      if (trouble.kind !== 'setup')
        logger.warn({ err: error, source: claimed.kind }, 'A folder could not be looked at');
      await database.db.transaction().execute((trx) => recordTrouble(trx, claimed, trouble));
    }
  }
}

/** Converts an error to trouble of the folder. Unknown errors count as network trouble. */
function asUnreadable(error: unknown): FolderUnreadable {
  if (error instanceof FolderUnreadable) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new FolderUnreadable('network', 'The folder could not be read.', { detail });
}

async function lookOnce(
  worker: FolderContext,
  claimed: WatchSourceRecord,
  settings: Settings,
  signal: AbortSignal,
): Promise<void> {
  const { database, fileSource } = worker;
  const known = claimed.failures === 0 ? toFolderPlace(claimed) : null;
  const place = await fileSource.resolve(known, signal);
  const { key, canWrite, ...rest } = place;
  const source = await storeFolderLocation(database.db, claimed, { key, canWrite, place: rest });
  if (!settings.oneDriveEnabled) return endUnwatchedLook(database.db, claimed);
  await restoreFiles(worker, place, source);
  const look = await lookAgain(worker, place, source, signal);
  signal.throwIfAborted();
  if (look.unseen.length > 0) {
    const files = look.unseen.length;
    worker.logger.warn({ source: claimed.kind, files }, 'Some files of a folder could not be looked at');
  }
  await storeLook(worker, source, { place, look, settings });
}

/** Puts back files that were moved aside but are no longer due to be moved or deleted. Runs before a look. */
async function restoreFiles(
  { database, fileSource, logger }: FolderContext,
  place: Place,
  source: WatchSourceRecord,
): Promise<void> {
  const find = async (marks: string[]) =>
    (await findFilesByMark(database.db, source, marks)).map(toKnownFile);
  await fileSource.restore(place, find).catch((err) => {
    if (isDatabaseUnavailable(err)) throw err;
    logger.warn({ err, source: source.kind }, 'Files could not be put back; the next look tries again');
  });
}

async function lookAgain(
  { fileSource }: FolderContext,
  place: Place,
  { cursor }: WatchSourceRecord,
  signal: AbortSignal,
): Promise<LookResult> {
  try {
    return await fileSource.look(place, cursor, signal);
  } catch (error) {
    const startsOver = error instanceof FolderUnreadable && error.kind === 'start over';
    if (!startsOver || cursor === null) throw error;
    return fileSource.look(place, null, signal);
  }
}

async function storeLook(
  { database, limits }: FolderContext,
  claimed: WatchSourceRecord,
  { place, look, settings }: { place: Place; look: LookResult; settings: Settings },
): Promise<void> {
  const files = look.files.filter(({ name }) => !isIgnoredName(name));
  const settleMs = getSettleMs(place, settings);
  const seen = files.map((file) => seenFile(file, settleMs, limits));
  await database.db.transaction().execute(async (trx) => {
    const source = await lockLook(trx, claimed);
    const present = files.length + look.unseen.length;
    if (look.isWhole && present === 0) refuseEmpty(source);
    const isBaseline = source.looked_at === null;
    const added = await storeSeenFiles(trx, source, seen, { isBaseline, unseen: look.unseen });
    if (look.gone.length > 0) await markFilesGone(trx, source, { keys: look.gone });
    if (look.isWhole) {
      const keys = files.map(({ key }) => key);
      await markFilesGone(trx, source, { allBut: [...keys, ...look.unseen] });
      await forgetOldFiles(trx, source);
    }
    await endLook(trx, source, {
      cursor: look.cursor,
      more: look.more,
      isEmptyBaseline:
        isBaseline && added === 0 && look.unseen.length === 0 && source.cursor === null && !look.more,
      files: look.isWhole ? present : null,
      everyMs: Number(settings.watchFrequency) * 60_000,
    });
  });
}

/** Returns the time in ms for which a new version must be unchanged before it is read. */
export function getSettleMs({ settleMs }: Pick<Place, 'settleMs'>, { autoProcessMode }: Settings): number {
  if (autoProcessMode !== 'full-auto') return settleMs;
  return Math.max(settleMs, Math.min(fullAutoSettles.msMax, settleMs * fullAutoSettles.times));
}

function seenFile(file: FoundFile, settleMs: number, limits: SizeLimits): SeenFile {
  const { unreadable, ...known } = file;
  const seen = { ...known, reason: null, settleMs };
  const rule = decideOnFile(file, limits);
  if (rule.is !== 'taken') return { ...seen, state: rule.is, reason: rule.because };
  if (unreadable?.later)
    return { ...seen, state: 'settling', reason: unreadable.because, settleMs: unreadablePauseMs };
  if (unreadable) return { ...seen, state: 'refused', reason: unreadable.because };
  return { ...seen, state: settleMs > 0 ? 'settling' : 'waiting' };
}

/** Throws if a folder that had many files is empty now, because its drive is probably missing. */
function refuseEmpty({ files, looked_at }: WatchSourceRecord): void {
  if (files === null || files < manyFiles || looked_at === null) return;
  const sentence = `The folder is empty, but ${files.toLocaleString('en')} files were there at the last look. Is the drive connected? If you emptied it yourself, nothing is lost: it’s watched again when a file arrives.`;
  throw new FolderUnreadable('empty', sentence);
}
