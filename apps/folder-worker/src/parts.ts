import type { Db, OpenDatabase } from '@draftshelf/core/connection/database';
import type { WatchedFileRecord, WatchSourceRecord } from '@draftshelf/core/connection/schema';
import { listWatchSources, storeTrouble } from '@draftshelf/core/folders/sources';
import type { FileLimits } from '@draftshelf/core/reading/take-file';
import { type FolderKind, folderKinds } from '@draftshelf/domain/folders/folders';
import {
  type FileSource,
  FolderUnreadable,
  type KnownFile,
  type Place,
} from '@draftshelf/folders/file-source';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import type { Logger } from '@draftshelf/runtime/logger';

export function placeOf({ place, place_key, can_write }: WatchSourceRecord): Place | null {
  if (!place || place_key === null) return null;
  return { ...place, key: place_key, canWrite: can_write ?? false };
}

export function knownFileOf(file: WatchedFileRecord): KnownFile {
  const { file_key, version, name, bytes, modified_at, etag } = file;
  return { key: file_key, version, name, bytes, modifiedAt: modified_at, etag };
}

/** The source of a claimed file and its place. */
export async function located({ database, sources }: FolderWorker, file: WatchedFileRecord) {
  const source = (await listWatchSources(database.db)).find(({ id }) => id === file.source);
  const place = source && placeOf(source);
  const fileSource = source && sources[source.kind];
  if (!place || !fileSource) throw new Error(`The place of watched file ${file.id} is not known`);
  return { source, place, fileSource };
}

export async function storeUnreadable(
  db: Db,
  source: { id: string; look?: number },
  { kind, message, detail, waitMs }: FolderUnreadable,
): Promise<void> {
  await storeTrouble(db, source, { kind, sentence: message, cause: detail, waitMs });
}

/** Returns trouble for an error; unknown ones count as a broken network. */
export function asUnreadable(error: unknown): FolderUnreadable {
  if (error instanceof FolderUnreadable) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new FolderUnreadable('network', 'The folder could not be read.', { detail });
}

export type FileSources = Partial<Record<FolderKind, FileSource>>;

export type FolderWorker = {
  database: OpenDatabase;
  storage: ObjectStorage;
  limits: FileLimits;
  sources: FileSources;
  logger: Logger;
  /** Currency of the connected store, if known. */
  currency(): Promise<string | null>;
  holder: string | null;
  signal: AbortSignal;
};

export const kindsOf = (sources: FileSources): FolderKind[] =>
  folderKinds.filter((kind) => sources[kind] !== undefined);
