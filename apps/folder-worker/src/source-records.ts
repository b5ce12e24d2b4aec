import type { Db } from '@draftshelf/core/connection/database';
import type { WatchedFileRecord, WatchSourceRecord } from '@draftshelf/core/connection/schema';
import { storeTrouble } from '@draftshelf/core/folders/sources';
import { FolderUnreadable, type KnownFile, type Place } from '@draftshelf/folders/file-source';

/** The place of a stored source; null: none was found yet. */
export function placeOf({ place, place_key, can_write }: WatchSourceRecord): Place | null {
  if (!place || place_key === null) return null;
  return { ...place, key: place_key, canWrite: can_write ?? false };
}

/** The version of a stored file. */
export function knownFileOf(file: WatchedFileRecord): KnownFile {
  const { file_key, version, name, bytes, modified_at, etag } = file;
  return { key: file_key, version, name, bytes, modifiedAt: modified_at, etag };
}

/** Stores why a place could not be used. `look`: the number of the look that found it. */
export async function storeUnreadable(
  db: Db,
  source: { id: string; look?: number },
  { kind, message, detail, waitMs }: FolderUnreadable,
): Promise<void> {
  await storeTrouble(db, source, { kind, sentence: message, cause: detail, waitMs });
}

/** The error as trouble of its place. Others than FolderUnreadable are taken for a network that does not work. */
export function asUnreadable(error: unknown): FolderUnreadable {
  if (error instanceof FolderUnreadable) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new FolderUnreadable('network', 'The folder could not be read.', { detail });
}
