/** Kinds of watched folders: a directory of the server, and OneDrive. */
export const folderKinds = ['local', 'onedrive'] as const;
export type FolderKind = (typeof folderKinds)[number];

/** off: not watched. setup: not connected yet. ok: readable. waiting: paused for a while. trouble: not readable. */
export const folderStates = ['off', 'setup', 'ok', 'waiting', 'trouble'] as const;
export type FolderState = (typeof folderStates)[number];

/** The operator's actions against trouble. wait: nothing to do, because retries continue. */
export const troubleActions = ['sign in', 'check folder', 'wait'] as const;
export type TroubleAction = (typeof troubleActions)[number];

/** The operator's action for each kind of trouble. setup: no folder is connected yet. */
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

/** Returns the operator's action against a kind of trouble. Null if there is no trouble. */
export const troubleActionOf = (kind: FolderTrouble | null): TroubleAction | null =>
  kind && actionOfTrouble[kind];

/**
 * States of a version of a file, with sentences. held: found with too many others, so the operator is asked. settling:
 * may still be written. waiting: will be read. taking: being read. taken: imported. same: content was imported before.
 * refused: not readable as CSV. ignored: present at the first look, or no CSV file. failed: not readable after several
 * tries. gone: no longer in the folder.
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

/** State of a file after its import. due: to be moved or deleted. kept: neither was possible. left: it had changed. */
export type WatchedFileOutcome = 'due' | 'archived' | 'deleted' | 'kept' | 'left';
