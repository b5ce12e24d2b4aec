import type { OpenDatabase } from '@draftshelf/core/connection/database';
import type { WatchedFileRecord, WatchSourceRecord } from '@draftshelf/core/connection/schema';
import { findWatchSource } from '@draftshelf/core/folders/sources';
import type { FileLimits } from '@draftshelf/core/reading/take-file';
import type { FolderKind } from '@draftshelf/domain/folders/folders';
import type { FileSource, KnownFile, Place } from '@draftshelf/folders/file-source';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import type { Logger } from '@draftshelf/runtime/logger';

export function toFolderPlace({ place, place_key, can_write }: WatchSourceRecord): Place | null {
  if (!place || place_key === null) return null;
  return { ...place, key: place_key, canWrite: can_write ?? false };
}

export function toKnownFile(file: WatchedFileRecord): KnownFile {
  const { file_key, version, name, bytes, modified_at } = file;
  return { key: file_key, version, name, bytes, modifiedAt: modified_at };
}

/** Returns the watched folder in which a claimed file was found. Throws if the folder is unknown. */
export async function readPlaceOfFile(
  { database, kind }: FolderContext,
  file: WatchedFileRecord,
): Promise<Place> {
  const source = await findWatchSource(database.db, kind);
  const place = source && toFolderPlace(source);
  if (!place) throw new Error(`The place of watched file ${file.id} is not known`);
  return place;
}

export type FolderServices = {
  database: OpenDatabase;
  storage: ObjectStorage;
  limits: FileLimits;
  logger: Logger;
  /** Returns the currency of the connected store, or null if unknown. */
  currency(): Promise<string | null>;
};

/** Dependencies of the tasks of a folder. */
export type FolderContext = FolderServices & {
  kind: FolderKind;
  fileSource: FileSource;
  holder: string | null;
  signal: AbortSignal;
};
