import { createHash } from 'node:crypto';
import type { FolderTrouble } from '@draftshelf/domain/folders/folders';

/** A watched place as it was found. `detail` is stored and given back as it is. */
export type Place = {
  /** Identifies the place. Another key begins a new baseline. */
  key: string;
  /** For people: a path. */
  path: string;
  /** The account that it belongs to; null: none. */
  account: string | null;
  canWrite: boolean;
  /** A new version is read when two observations this far apart are equal. 0: a file that is visible is complete. */
  settleMs: number;
  detail: Record<string, unknown>;
};

export type FoundFile = {
  /** Identifies the file in its place, also after it was renamed if the place has ids. */
  key: string;
  /** Changes with the file's content. */
  version: string;
  name: string;
  bytes: number;
  modifiedAt: Date | null;
  etag: string | null;
  /** Why it cannot be read, as a sentence; its name and size are judged elsewhere. `later`: it may become readable. */
  unreadable: { because: string; later: boolean } | null;
};

/** A version of a file that was found earlier. */
export type KnownFile = Omit<FoundFile, 'unreadable'>;

/** Identifies a version of a file in its place, as 32 hexadecimal digits. The database computes it as well. */
export const markOf = ({ key, version }: Pick<KnownFile, 'key' | 'version'>): string =>
  createHash('sha256').update(`${key}\n${version}`).digest('hex').slice(0, 32);

/** A part of a look. */
export type Look = {
  files: FoundFile[];
  /** Keys of files that are known to be gone. */
  gone: string[];
  /** Keys of files that are there, but could not be looked at. */
  unseen: string[];
  /** Whether `files` are all files of the place, so that others are gone. */
  isWhole: boolean;
  /** Where the next look goes on; null: it begins anew. */
  cursor: string | null;
  /** Whether more follows at once behind `cursor`. */
  more: boolean;
};

/**
 * Result of moving or deleting a file. done: also if it was so already; changed: it is another version, and stays;
 * gone: it is not there; missing: it was not found, which may pass; kept: not possible, with a sentence; later: not
 * possible now.
 */
export type Disposal =
  | { is: 'done'; newKey?: string }
  | { is: 'changed' }
  | { is: 'gone' }
  | { is: 'missing' }
  | { is: 'kept'; sentence: string }
  | { is: 'later'; sentence: string; waitMs: number };

/**
 * A kind of watched folder. All functions throw `FolderUnreadable` if the place cannot be used. The folder worker gets
 * one per kind: apps/folder-worker/src/worker.ts.
 */
export interface FileSource {
  /** Finds the place. `known`: the place of the last look, if that succeeded; it may be returned without a request. */
  resolve(known: Place | null, signal: AbortSignal): Promise<Place>;
  /** Lists files from `cursor` on, in bounded time and memory. Names that `isPassedOver` names may be left out. */
  look(place: Place, cursor: string | null, signal: AbortSignal): Promise<Look>;
  /**
   * The bytes of that version of a file. Throws `FileGone` if it is not there, `FileChanged` if it is another one, and
   * `FileUnreadable` if it cannot be read now.
   */
  read(place: Place, file: KnownFile, signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
  /** The file as it is now; null: it is gone. Throws `FileUnreadable` if that cannot be known now. */
  recheck(place: Place, file: KnownFile, signal: AbortSignal): Promise<FoundFile | null>;
  /**
   * Moves that version of the file into the folder Archive, under `name` or a free name like it. A repetition has the
   * same `name`; what an interrupted call has begun is completed.
   */
  archive(place: Place, file: KnownFile, name: string, signal: AbortSignal): Promise<Disposal>;
  /** Deletes that version of the file. What an interrupted call has begun is completed. */
  remove(place: Place, file: KnownFile, signal: AbortSignal): Promise<Disposal>;
  /**
   * Puts files back that interrupted calls of `archive` and `remove` have left aside. `find` gets the marks of these
   * versions, and returns those that are no longer to be moved or deleted. Can be repeated after a crash at any point.
   */
  restore(place: Place, find: (marks: string[]) => Promise<KnownFile[]>): Promise<void>;
}

/**
 * A place that cannot be read or changed, with a sentence for people. start over: the next look begins without a
 * cursor. throttled: nothing of the place is asked for `waitMs`.
 */
export class FolderUnreadable extends Error {
  readonly kind: FolderTrouble;
  /** Technical detail for one click away; null: the sentence says it all. */
  readonly detail: string | null;
  /** Not asked again within this time; null: the usual pause. */
  readonly waitMs: number | null;

  constructor(
    kind: FolderTrouble,
    sentence: string,
    { detail = null, waitMs = null }: { detail?: string | null; waitMs?: number | null } = {},
  ) {
    super(sentence);
    this.name = 'FolderUnreadable';
    this.kind = kind;
    this.detail = detail;
    this.waitMs = waitMs;
  }
}

/** A file that is no longer in its place. */
export class FileGone extends Error {
  constructor(name: string) {
    super(`The file ${name} is no longer in the folder.`);
    this.name = 'FileGone';
  }
}

/** A file that has another version than the one to be read. */
export class FileChanged extends Error {
  constructor(name: string) {
    super(`The file ${name} has changed.`);
    this.name = 'FileChanged';
  }
}

/** A file that cannot be read now; the message is a sentence for people. It is tried again a few times. */
export class FileUnreadable extends Error {
  override readonly name = 'FileUnreadable';
}
