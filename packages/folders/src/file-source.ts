import { createHash } from 'node:crypto';
import type { FolderTrouble } from '@draftshelf/domain/folders/folders';
import { TroubleError } from './trouble-error.ts';

/** A watched folder, found by its source. `detail` is stored and passed back unchanged. */
export type Place = {
  /** Identifies the folder. If the key changes, the operator is asked again about the files that are already there. */
  key: string;
  path: string;
  account: string | null;
  canWrite: boolean;
  /** Time for which a new version must stay unchanged before it is read. 0: files appear only when complete. */
  settleMs: number;
  detail: Record<string, unknown>;
};

export type FoundFile = {
  /** Key of the file. If the source gives files ids, renaming a file does not change its key. */
  key: string;
  version: string;
  name: string;
  bytes: number;
  modifiedAt: Date | null;
  /** A sentence why the file cannot be read, for reasons other than name and size. `later`: it may become readable. */
  unreadable: { because: string; later: boolean } | null;
};

export type KnownFile = Omit<FoundFile, 'unreadable'>;

/** Returns 32 hexadecimal digits that identify a version of a file. claimed-files.ts computes the same in SQL. */
export const hashFileVersion = ({ key, version }: Pick<KnownFile, 'key' | 'version'>): string =>
  createHash('sha256').update(`${key}\n${version}`).digest('hex').slice(0, 32);

export type LookResult = {
  files: FoundFile[];
  gone: string[];
  unseen: string[];
  /** Whether `files` lists the whole folder. If true, known files that are missing from `files` are gone. */
  isWhole: boolean;
  cursor: string | null;
  /** Whether another look from `cursor` should follow at once. */
  more: boolean;
};

/** done: by this call or an earlier one. changed: the file has another version. missing: possibly only for a while. */
export type DisposalResult =
  | { is: 'done'; newKey?: string }
  | { is: 'changed' }
  | { is: 'gone' }
  | { is: 'missing' }
  | { is: 'kept'; sentence: string }
  | { is: 'later'; sentence: string; waitMs: number };

/** Files of a watched folder. All functions throw `FolderUnreadable` if the folder cannot be used. */
export interface FileSource {
  /** Finds the folder. `known` is from the last successful look and may be returned without a request. */
  resolve(known: Place | null, signal: AbortSignal): Promise<Place>;
  /** Lists files from `cursor` on, in bounded time and memory. Files that `isIgnoredName` matches may be left out. */
  look(place: Place, cursor: string | null, signal: AbortSignal): Promise<LookResult>;
  /** Reads a file. Throws `FileGone`, `FileChanged` if its version differs, or `FileUnreadable` if a retry may help. */
  read(place: Place, file: KnownFile, signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
  /** Finds the current version of a file. Null if the file is gone. Throws `FileUnreadable` if neither is certain. */
  recheck(place: Place, file: KnownFile, signal: AbortSignal): Promise<FoundFile | null>;
  /** Moves a file into Archive, as `name` or a free name. To complete an interrupted call, repeat it with `name`. */
  archive(place: Place, file: KnownFile, name: string, signal: AbortSignal): Promise<DisposalResult>;
  /** Deletes a file. To complete an interrupted call, repeat it. */
  remove(place: Place, file: KnownFile, signal: AbortSignal): Promise<DisposalResult>;
  /** Puts back moved-aside files for which no move or deletion is due. `find` returns these files by their marks. */
  restore(place: Place, find: (marks: string[]) => Promise<KnownFile[]>): Promise<void>;
}

/** Thrown if a folder cannot be used. start over: the cursor is invalid. throttled: send no request for `waitMs`. */
export class FolderUnreadable extends TroubleError<FolderTrouble> {
  override readonly name = 'FolderUnreadable';
}

export class FileGone extends Error {
  constructor(name: string) {
    super(`The file ${name} is no longer in the folder.`);
    this.name = 'FileGone';
  }
}

export class FileChanged extends Error {
  constructor(name: string) {
    super(`The file ${name} has changed.`);
    this.name = 'FileChanged';
  }
}

/** Thrown if a file cannot be read now. The message is a sentence for people. The file is retried a few times. */
export class FileUnreadable extends Error {
  override readonly name = 'FileUnreadable';
}
