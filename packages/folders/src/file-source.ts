import { createHash } from 'node:crypto';
import type { FolderTrouble } from '@draftshelf/domain/folders/folders';
import { TroubleError } from './trouble-error.ts';

/** A watched place. `detail` is stored and returned unchanged. */
export type Place = {
  /** A change of the key begins a new baseline. */
  key: string;
  path: string;
  account: string | null;
  canWrite: boolean;
  /** Milliseconds after which an unchanged new version is read. 0: files are complete when they appear. */
  settleMs: number;
  detail: Record<string, unknown>;
};

export type FoundFile = {
  /** Key of the file. In a place that gives files ids, renaming a file does not change its key. */
  key: string;
  version: string;
  name: string;
  bytes: number;
  modifiedAt: Date | null;
  /** Why the file cannot be read, as a sentence, other than its name or size. `later`: it may become readable. */
  unreadable: { because: string; later: boolean } | null;
};

export type KnownFile = Omit<FoundFile, 'unreadable'>;

/** Returns 32 hexadecimal digits that identify a version of a file. claimed-files.ts computes the same in SQL. */
export const markOf = ({ key, version }: Pick<KnownFile, 'key' | 'version'>): string =>
  createHash('sha256').update(`${key}\n${version}`).digest('hex').slice(0, 32);

export type Look = {
  files: FoundFile[];
  gone: string[];
  unseen: string[];
  /** Whether `files` lists the whole folder. If so, known files that are not in it are gone. */
  isWhole: boolean;
  cursor: string | null;
  /** Whether another look from `cursor` should follow at once. */
  more: boolean;
};

/** done: now or in an interrupted call. changed: another version is there. missing: not found, maybe only for now. */
export type Disposal =
  | { is: 'done'; newKey?: string }
  | { is: 'changed' }
  | { is: 'gone' }
  | { is: 'missing' }
  | { is: 'kept'; sentence: string }
  | { is: 'later'; sentence: string; waitMs: number };

/** Files of a place. All functions throw `FolderUnreadable` if the place cannot be used. */
export interface FileSource {
  /** Finds the place. `known` is from the last successful look and may be returned without a request. */
  resolve(known: Place | null, signal: AbortSignal): Promise<Place>;
  /** Lists files from `cursor` on, in bounded time and memory. Files that `isIgnoredName` matches may be left out. */
  look(place: Place, cursor: string | null, signal: AbortSignal): Promise<Look>;
  /** Reads a file. Throws `FileGone`, `FileChanged` for another version, or `FileUnreadable` if not readable now. */
  read(place: Place, file: KnownFile, signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
  /** Finds the current version of a file. Null if the file is gone. Throws `FileUnreadable` if that is unknown. */
  recheck(place: Place, file: KnownFile, signal: AbortSignal): Promise<FoundFile | null>;
  /** Moves a file into Archive as `name` or a free name. Each repetition has the same `name` and completes the call. */
  archive(place: Place, file: KnownFile, name: string, signal: AbortSignal): Promise<Disposal>;
  /** Deletes a file. Completes an interrupted call. */
  remove(place: Place, file: KnownFile, signal: AbortSignal): Promise<Disposal>;
  /** Puts back files of interrupted calls. `find` takes marks and returns files that are not due. Safe to repeat. */
  restore(place: Place, find: (marks: string[]) => Promise<KnownFile[]>): Promise<void>;
}

/** Thrown if a place cannot be used. start over: the cursor is invalid. throttled: no requests for `waitMs`. */
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
