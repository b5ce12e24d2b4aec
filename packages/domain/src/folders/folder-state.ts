import {
  type FolderKind,
  type FolderState,
  type FolderTrouble,
  type WatchedFileOption,
  type WatchedFileState,
  watchedFileSentences,
} from './folders.ts';

/** Words of a watched folder's badge. Connected is for OneDrive only, Watching for a folder of the server. */
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

/** A watched folder as it is set and as its last look left it. */
export type FolderFacts = {
  kind: FolderKind;
  /** The setting "Enable file monitoring". */
  isEnabled: boolean;
  /** The folder to watch; null: none is set. */
  path: string | null;
  /** Whether an account is signed in. A local folder needs none. */
  isSignedIn: boolean;
  state: FolderState;
  trouble: { kind: FolderTrouble | null; sentence: string } | null;
  hasLooked: boolean;
  /** Folder workers that are running. */
  workers: number;
};

/** A state with its badge, and in one sentence without times: they belong to the reader's time zone. */
type ShownState = { state: FolderState; badge: FolderBadge; sentence: string };

/**
 * The state of a watched folder by its settings and last look. `setup`: no sign-in or folder; `off`: no monitoring. The
 * badges Connected and Watching mean that the last look succeeded and the next one will come.
 */
export function shownStateOf(facts: FolderFacts): ShownState {
  const { trouble, path, hasLooked } = facts;
  const needsSetup = (sentence: string) => ({ state: 'setup', badge: 'Setup Required', sentence }) as const;
  const cannotLook = (sentence: string) => ({ state: 'trouble', badge: 'Can’t Look', sentence }) as const;
  if (!facts.isSignedIn) return needsSetup('Nothing in OneDrive is watched until it is connected.');
  if (trouble?.kind === 'sign in')
    return { state: 'trouble', badge: 'Sign In Again', sentence: trouble.sentence };
  // The place of a local folder is known once it was found.
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
  const due = `The ${hasLooked ? 'next' : 'first'} look into ${path} is due.`;
  return { state: 'waiting', badge: 'Waiting', sentence: trouble?.sentence ?? due };
}

/** A version of a file as it is stored. */
export type WatchedFileFacts = {
  state: WatchedFileState;
  option: WatchedFileOption | null;
  reason: string | null;
};

const optionSentences: Record<WatchedFileOption, string> = {
  due: '',
  archived: 'Moved to Archive.',
  deleted: 'Deleted.',
  kept: 'It stayed in the folder.',
  left: 'It changed meanwhile, so it stayed.',
};

/** The state of a version of a file, in one or two sentences. `reason` replaces the general words. */
export function watchedFileSentenceOf({ state, option, reason }: WatchedFileFacts): string {
  if (option === null && state === 'waiting' && reason !== null) return `${reason} It’s tried again.`;
  if (option === null) return reason ?? watchedFileSentences[state];
  const isOfOption = option === 'kept' || option === 'left';
  return `${watchedFileSentences[state]} ${(isOfOption && reason) || optionSentences[option]}`.trim();
}

/** A sentence about the wait of a file that is to be read; null: it is next, or not to be read. */
export function waitSentenceOf(
  file: { state: WatchedFileState; take_anyway: boolean },
  folder: { state: FolderState; workers: number },
): string | null {
  if (file.state !== 'waiting' && file.state !== 'settling') return null;
  if (folder.workers === 0) return 'Waits: no folder worker is running.';
  return folder.state === 'off' && !file.take_anyway ? 'Waits until file monitoring is on.' : null;
}

/** States of versions that were not imported, and that an operator can have imported. */
export const takeableStates = [
  'held',
  'same',
  'refused',
  'ignored',
  'failed',
] as const satisfies readonly WatchedFileState[];

/** Whether an operator can have a version of a file imported that was not, and that is still in the folder. */
export const isTakeable = ({ state, option }: Pick<WatchedFileFacts, 'state' | 'option'>): boolean =>
  takeableStates.some((one) => one === state) && option !== 'archived' && option !== 'deleted';
