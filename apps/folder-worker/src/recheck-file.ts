import { readSettings } from '@draftshelf/core/access/settings';
import type { WatchedFileRecord } from '@draftshelf/core/connection/schema';
import { replaceVersion } from '@draftshelf/core/folders/claimed-files';
import type { FileSource, FoundFile, Place } from '@draftshelf/folders/file-source';
import { answerWithin, untilAborted } from '@draftshelf/runtime/answer-within';
import { settleMsOf } from './look.ts';
import type { FolderWorker } from './parts.ts';
import { knownFileOf } from './parts.ts';

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
