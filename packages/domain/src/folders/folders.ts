/** Kinds of watched folders: a directory of the server, and OneDrive. */
export const folderKinds = ['local', 'onedrive'] as const;
export type FolderKind = (typeof folderKinds)[number];

/** off: not watched; setup: not connected yet; ok: read; waiting: not before a certain time; trouble: not readable. */
export const folderStates = ['off', 'setup', 'ok', 'waiting', 'trouble'] as const;
export type FolderState = (typeof folderStates)[number];

/** Reasons why a watched folder cannot be read. setup: nothing is connected yet. */
export const folderTroubles = [
  'setup',
  'sign in',
  'not found',
  'no permission',
  'throttled',
  'network',
  'start over',
  'empty',
] as const;
export type FolderTrouble = (typeof folderTroubles)[number];

/**
 * States of a version of a file. held: found with too many others, the operator is asked; settling: it may still be
 * written; waiting: the next to be read; taking: being read; taken: imported; same: its content was imported before;
 * refused: not readable as CSV; ignored: there before the first look, or no CSV file; failed: not read after several
 * tries; gone: no longer there.
 */
export const watchedFileStates = [
  'held',
  'settling',
  'waiting',
  'taking',
  'taken',
  'same',
  'refused',
  'ignored',
  'failed',
  'gone',
] as const;
export type WatchedFileState = (typeof watchedFileStates)[number];

/** What became of the file itself. due: to be moved or deleted; kept: not possible; left: it had changed. */
export const watchedFileOptions = ['due', 'archived', 'deleted', 'kept', 'left'] as const;
export type WatchedFileOption = (typeof watchedFileOptions)[number];

/** An app registration of Microsoft as it was entered: the directory, the app, its secret, and whose drive. */
export type EnteredApp = {
  tenant: string;
  clientId: string;
  clientSecret: string;
  drive: { user: string } | { site: string };
};
