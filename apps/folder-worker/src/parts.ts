import type { OpenDatabase } from '@draftshelf/core/connection/database';
import type { FileLimits } from '@draftshelf/core/reading/take-file';
import { type FolderKind, folderKinds } from '@draftshelf/domain/folders/folders';
import type { FileSource } from '@draftshelf/folders/file-source';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import type { Logger } from '@draftshelf/runtime/logger';

export type FileSources = Partial<Record<FolderKind, FileSource>>;

export type FolderWorker = {
  database: OpenDatabase;
  storage: ObjectStorage;
  limits: FileLimits;
  sources: FileSources;
  logger: Logger;
  /** Of the store that is set, if known. */
  currency(): Promise<string | null>;
  holder: string | null;
  signal: AbortSignal;
};

export const kindsOf = (sources: FileSources): FolderKind[] =>
  folderKinds.filter((kind) => sources[kind] !== undefined);
