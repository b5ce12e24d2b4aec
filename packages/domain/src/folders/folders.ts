/** Kinds of watched folders: a directory of the server, and OneDrive. */
export const folderKinds = ['local', 'onedrive'] as const;
export type FolderKind = (typeof folderKinds)[number];

/** off: not watched; setup: not connected yet; ok: read; waiting: not before a certain time; trouble: not readable. */
export const folderStates = ['off', 'setup', 'ok', 'waiting', 'trouble'] as const;
export type FolderState = (typeof folderStates)[number];

/** The operator's actions against trouble; wait: retries continue without the operator. */
export const troubleActions = ['sign in', 'check folder', 'wait'] as const;
export type TroubleAction = (typeof troubleActions)[number];

/** The action for each reason why a watched folder cannot be read. setup: nothing is connected yet. */
const actionOfTrouble = {
  setup: null,
  'sign in': 'sign in',
  'not found': 'check folder',
  'no permission': 'check folder',
  throttled: 'wait',
  network: 'wait',
  'start over': 'wait',
  empty: 'check folder',
} as const satisfies Record<string, TroubleAction | null>;
export type FolderTrouble = keyof typeof actionOfTrouble;
export const folderTroubles = Object.keys(actionOfTrouble) as FolderTrouble[];

/** The operator's action against a kind of trouble; null: there is none. */
export const troubleActionOf = (kind: FolderTrouble | null): TroubleAction | null =>
  kind && actionOfTrouble[kind];

/**
 * States of a version of a file. held: found with too many others, the operator is asked; settling: it may still be
 * written; waiting: the next to be read; taking: being read; taken: imported; same: its content was imported before;
 * refused: not readable as CSV; ignored: there before the first look, or no CSV file; failed: not read after several
 * tries; gone: no longer there.
 */
export const watchedFileSentences = {
  held: 'Waits for your answer.',
  settling: 'Waiting until it stops changing.',
  waiting: 'Next.',
  taking: 'Reading.',
  taken: 'Imported.',
  same: 'Same content as an earlier import.',
  refused: 'Not readable as CSV.',
  ignored: 'Was there before.',
  failed: 'Couldn’t be read.',
  gone: 'No longer in the folder.',
};
export type WatchedFileState = keyof typeof watchedFileSentences;
export const watchedFileStates = Object.keys(watchedFileSentences) as WatchedFileState[];

/** The state of the file itself. due: to be moved or deleted; kept: not possible; left: it had changed. */
export type WatchedFileOption = 'due' | 'archived' | 'deleted' | 'kept' | 'left';
