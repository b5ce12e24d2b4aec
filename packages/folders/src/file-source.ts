import { createHash } from 'node:crypto';
import type { FolderTrouble } from '@draftshelf/domain/folders/folders';
import { TroubleError } from './trouble-error.ts';

/** A watched place. `detail` is stored and given back unchanged. */
export type Place = {
  /** Another key begins a new baseline. */
  key: string;
  path: string;
  account: string | null;
  canWrite: boolean;
  /** A new version is read when two observations this far apart are equal. 0: a visible file is complete. */
  settleMs: number;
  detail: Record<string, unknown>;
};

export type FoundFile = {
  /** Stays after a rename if the place has ids. */
  key: string;
  version: string;
  name: string;
  bytes: number;
  modifiedAt: Date | null;
  /** A sentence; `later`: it may become readable. Name and size are judged elsewhere. */
  unreadable: { because: string; later: boolean } | null;
};

export type KnownFile = Omit<FoundFile, 'unreadable'>;

/** Identifies a version of a file by 32 hexadecimal digits. The database computes it too. */
export const markOf = ({ key, version }: Pick<KnownFile, 'key' | 'version'>): string =>
  createHash('sha256').update(`${key}\n${version}`).digest('hex').slice(0, 32);

export type Look = {
  files: FoundFile[];
  gone: string[];
  unseen: string[];
  /** Whether `files` are all files of the place, so that others are gone. */
  isWhole: boolean;
  cursor: string | null;
  /** Whether more follows at once behind `cursor`. */
  more: boolean;
};

/** `done`: also for a repetition; `changed`: another version; `missing`: not found, which may pass. */
export type Disposal =
  | { is: 'done'; newKey?: string }
  | { is: 'changed' }
  | { is: 'gone' }
  | { is: 'missing' }
  | { is: 'kept'; sentence: string }
  | { is: 'later'; sentence: string; waitMs: number };

/** All functions throw `FolderUnreadable` if the place cannot be used. */
export interface FileSource {
  /** Finds the place. `known`: from the last successful look; it may be returned without a request. */
  resolve(known: Place | null, signal: AbortSignal): Promise<Place>;
  /** Lists files from `cursor` on, in bounded time and memory. May omit files that `isPassedOver` matches. */
  look(place: Place, cursor: string | null, signal: AbortSignal): Promise<Look>;
  /** Throws `FileGone`, `FileChanged` if it is another version, `FileUnreadable` if it cannot be read now. */
  read(place: Place, file: KnownFile, signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
  /** Null: the file is gone. Throws `FileUnreadable` if that is unknown now. */
  recheck(place: Place, file: KnownFile, signal: AbortSignal): Promise<FoundFile | null>;
  /** Uses `name`, equal in a repetition, or a free name like it. Completes an interrupted call. */
  archive(place: Place, file: KnownFile, name: string, signal: AbortSignal): Promise<Disposal>;
  /** Completes an interrupted call. */
  remove(place: Place, file: KnownFile, signal: AbortSignal): Promise<Disposal>;
  /** Puts back interrupted calls' files: `find` gets their marks and returns the ones no longer due. Repeatable. */
  restore(place: Place, find: (marks: string[]) => Promise<KnownFile[]>): Promise<void>;
}

/** A place that cannot be used. `start over`: the cursor is invalid; `throttled`: no requests for `waitMs`. */
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

/** A file that cannot be read now, with a sentence for people. It is retried a few times. */
export class FileUnreadable extends Error {
  override readonly name = 'FileUnreadable';
}
