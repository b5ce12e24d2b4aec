import {
  type FolderKind,
  type FolderState,
  type FolderTrouble,
  type WatchedFileOutcome,
  type WatchedFileState,
  watchedFileSentences,
} from './folders.ts';

/** Words of a watched folder's badge. Connected is used only for OneDrive, Watching only for a local folder. */
export const folderBadges = [
  'Setup Required',
  'Connected',
  'Watching',
  'Waiting',
  'Sign In Again',
  'Can’t Look',
  'Off',
] as const;
export type FolderBadge = (typeof folderBadges)[number];

/** Settings of a watched folder, and the result of its last look. */
export type FolderFacts = {
  kind: FolderKind;
  /** Whether the setting “Enable file monitoring” is on. */
  isEnabled: boolean;
  /** The folder to watch. Null if none is configured. */
  path: string | null;
  /** Whether an account is signed in. Always true for a local folder. */
  isSignedIn: boolean;
  state: FolderState;
  trouble: { kind: FolderTrouble | null; sentence: string } | null;
  hasLooked: boolean;
  /** Number of running folder workers. */
  workers: number;
};

/** A state with its badge and a sentence. The sentence has no times, because these depend on the reader's time zone. */
type ShownState = { state: FolderState; badge: FolderBadge; sentence: string };

/**
 * Returns the state of a watched folder. `setup`: no sign-in or no folder. `off`: monitoring is off. The badges
 * Connected and Watching mean that the last look succeeded and another look will follow.
 */
export function folderStateOf(facts: FolderFacts): ShownState {
  const { trouble, path, hasLooked } = facts;
  const needsSetup = (sentence: string) => ({ state: 'setup', badge: 'Setup Required', sentence }) as const;
  const cannotLook = (sentence: string) => ({ state: 'trouble', badge: 'Can’t Look', sentence }) as const;
  if (!facts.isSignedIn) return needsSetup('Nothing in OneDrive is watched until it is connected.');
  if (trouble?.kind === 'sign in')
    return { state: 'trouble', badge: 'Sign In Again', sentence: trouble.sentence };
  // The path of a local folder is unknown until the folder was found once.
  if (path === null && trouble === null) return needsSetup('Enter the folder to watch.');
  if (!facts.isEnabled)
    return {
      state: 'off',
      badge: 'Off',
      sentence: `Turn on file monitoring to watch ${path ?? 'the folder'}.`,
    };
  if (facts.workers === 0) return cannotLook('No folder worker is running.');
  if (facts.state === 'trouble' && trouble !== null) return cannotLook(trouble.sentence);
  if (facts.state === 'ok' && hasLooked) {
    const badge = facts.kind === 'onedrive' ? 'Connected' : 'Watching';
    return { state: 'ok', badge, sentence: trouble?.sentence ?? `${path} is watched.` };
  }
  const due = `The ${hasLooked ? 'next' : 'first'} check of ${path} is due.`;
  return { state: 'waiting', badge: 'Waiting', sentence: trouble?.sentence ?? due };
}

/** The stored state of a file's version. */
export type WatchedFileFacts = {
  state: WatchedFileState;
  option: WatchedFileOutcome | null;
  reason: string | null;
};

const optionSentences: Record<WatchedFileOutcome, string> = {
  due: '',
  archived: 'Moved to Archive.',
  deleted: 'Deleted.',
  kept: 'The file stayed in the folder.',
  left: 'The file changed meanwhile, so it stayed.',
};

/** Describes the state of a file's version in one or two sentences. `reason` replaces the general sentence. */
export function watchedFileSentenceOf({ state, option, reason }: WatchedFileFacts): string {
  if (option === null && state === 'waiting' && reason !== null) return `${reason} The file is tried again.`;
  if (option === null) return reason ?? watchedFileSentences[state];
  const isOfOption = option === 'kept' || option === 'left';
  return `${watchedFileSentences[state]} ${(isOfOption && reason) || optionSentences[option]}`.trim();
}

/** Returns a sentence that says what a file waits for. Null if the file is next, or will not be read. */
export function waitSentenceOf(
  file: { state: WatchedFileState; take_anyway: boolean },
  folder: { state: FolderState; workers: number },
): string | null {
  if (file.state !== 'waiting' && file.state !== 'settling') return null;
  if (folder.workers === 0) return 'Waits: no folder worker is running.';
  return folder.state === 'off' && !file.take_anyway ? 'Waits until file monitoring is on.' : null;
}

/** States of file versions that were not imported, and that the operator can still import. */
export const importableStates = [
  'held',
  'same',
  'refused',
  'ignored',
  'failed',
] as const satisfies readonly WatchedFileState[];

/** Whether the operator can still import a file's version. False after the file was archived or deleted. */
export const isImportable = ({ state, option }: Pick<WatchedFileFacts, 'state' | 'option'>): boolean =>
  importableStates.some((one) => one === state) && option !== 'archived' && option !== 'deleted';
