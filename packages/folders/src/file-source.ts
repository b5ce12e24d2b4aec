import type { FolderTrouble } from '@draftshelf/domain/folders';

/** A watched place as it was found. `detail` is stored and given back as it is. */
export type Place = {
  /** Identifies the place. Another key begins a new baseline. */
  key: string;
  /** For people: a path. */
  path: string;
  /** The account that it belongs to; null: none. */
  account: string | null;
  canWrite: boolean;
  detail: Record<string, unknown>;
};

/** A file of a place. */
export type FoundFile = {
  /** Identifies the file in its place, also after it was renamed if the place has ids. */
  key: string;
  /** Changes with the file's content. */
  version: string;
  name: string;
  bytes: number;
  modifiedAt: Date | null;
  etag: string | null;
  /** Why it is no file to read now: still being written, a link, too large. `later`: it may become readable. */
  unreadable: { because: string; later: boolean } | null;
};

/** A part of a look. */
export type Look = {
  files: FoundFile[];
  /** Keys of files that are known to be gone. */
  gone: string[];
  /** Whether `files` are all files of the place, so that others are gone. */
  isWhole: boolean;
  /** Where the next look goes on; null: it begins anew. */
  cursor: string | null;
  /** Whether more follows at once behind `cursor`. */
  more: boolean;
};

/**
 * Result of moving or deleting a file. done: also if it was so already; changed: it is another version, and stays;
 * gone: it is not there; kept: not possible, with a sentence; later: not possible now.
 */
export type Settled =
  | { is: 'done'; newKey?: string }
  | { is: 'changed' }
  | { is: 'gone' }
  | { is: 'kept'; sentence: string }
  | { is: 'later'; sentence: string; waitMs: number };

/** A kind of watched folder. All functions throw `FolderUnreadable` if the place cannot be used. */
export interface FileSource {
  /** Finds the place. */
  resolve(signal: AbortSignal): Promise<Place>;
  /** Lists files from `cursor` on. */
  look(place: Place, cursor: string | null, signal: AbortSignal): Promise<Look>;
  /** The bytes of a file. Throws `FileGone` if it is not there. */
  read(place: Place, file: FoundFile, signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
  /** The version that the file has now; null: it is gone. */
  recheck(place: Place, file: FoundFile, signal: AbortSignal): Promise<string | null>;
  /** Moves that version of the file into the folder Archive, under `name` or a free name like it. */
  archive(place: Place, file: FoundFile, name: string, signal: AbortSignal): Promise<Settled>;
  /** Deletes that version of the file. */
  remove(place: Place, file: FoundFile, signal: AbortSignal): Promise<Settled>;
}

/** A place that cannot be read or changed, with a sentence for people. */
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
