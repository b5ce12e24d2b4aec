import type { OpenDatabase } from '@draftshelf/core/connection/database';
import type { FileLimits } from '@draftshelf/core/reading/take-file';
import { type FolderKind, folderKinds } from '@draftshelf/domain/folders/folders';
import type { FileSource } from '@draftshelf/folders/file-source';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import type { Logger } from '@draftshelf/runtime/logger';

/** The kinds of folders that a worker serves. A kind without an entry is not watched by it. */
export type FileSources = Partial<Record<FolderKind, FileSource>>;

/** The parts of a folder worker, while it does a task. */
export type FolderWorker = {
  database: OpenDatabase;
  storage: ObjectStorage;
  limits: FileLimits;
  sources: FileSources;
  logger: Logger;
  /** The currency of the store that is set; null: not known. */
  currency(): Promise<string | null>;
  /** This process, as it has reported itself; null: it has not. */
  holder: string | null;
  /** Aborts when the process stops, or another one does the task. */
  signal: AbortSignal;
};

/** Kinds that a worker serves, in the order of the domain. */
export const kindsOf = (sources: FileSources): FolderKind[] =>
  folderKinds.filter((kind) => sources[kind] !== undefined);
