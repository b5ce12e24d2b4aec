import { expect, test } from 'vitest';
import {
  type FolderFacts,
  folderStateOf,
  isImportable,
  waitSentenceOf,
  watchedFileSentenceOf,
} from './folder-state.ts';
import { folderTroubles, troubleActionOf, watchedFileStates } from './folders.ts';

const watched: FolderFacts = {
  kind: 'onedrive',
  isEnabled: true,
  path: '/SCD CSV Processing',
  isSignedIn: true,
  state: 'ok',
  trouble: null,
  hasLooked: true,
  workers: 1,
};
const throttled = { kind: 'throttled', sentence: 'Microsoft asks to wait. Nothing is lost.' } as const;
const missing = { kind: 'not found', sentence: 'The folder /In isn’t in this OneDrive.' } as const;
const ended = { kind: 'sign in', sentence: 'The sign-in has ended.' } as const;

test.each<[Partial<FolderFacts>, string, string, string]>([
  [{}, 'ok', 'Connected', '/SCD CSV Processing is watched.'],
  [{ kind: 'local' }, 'ok', 'Watching', '/SCD CSV Processing is watched.'],
  [{ isSignedIn: false }, 'setup', 'Setup Required', 'Nothing in OneDrive is watched until it is connected.'],
  [
    { isSignedIn: false, isEnabled: false, workers: 0 },
    'setup',
    'Setup Required',
    'Nothing in OneDrive is watched until it is connected.',
  ],
  [{ path: null }, 'setup', 'Setup Required', 'Enter the folder to watch.'],
  [{ isEnabled: false }, 'off', 'Off', 'Turn on file monitoring to watch /SCD CSV Processing.'],
  [{ workers: 0 }, 'trouble', 'Can’t Look', 'No folder worker is running.'],
  [{ state: 'trouble', trouble: missing }, 'trouble', 'Can’t Look', missing.sentence],
  [{ state: 'waiting', trouble: throttled }, 'waiting', 'Waiting', throttled.sentence],
  [{ state: 'trouble', trouble: ended }, 'trouble', 'Sign In Again', ended.sentence],
  [{ state: 'trouble', trouble: ended, isEnabled: false }, 'trouble', 'Sign In Again', ended.sentence],
  [
    { state: 'off', hasLooked: false },
    'waiting',
    'Waiting',
    'The first check of /SCD CSV Processing is due.',
  ],
  // Trouble that has ended, before the next look.
  [{ state: 'trouble' }, 'waiting', 'Waiting', 'The next check of /SCD CSV Processing is due.'],
  // A folder of the server that was never found.
  [
    { kind: 'local', path: null, hasLooked: false, state: 'trouble', trouble: missing },
    'trouble',
    'Can’t Look',
    missing.sentence,
  ],
])('%j is %s, %s: %s', (change, state, badge, sentence) => {
  const facts = { ...watched, ...change };
  expect(folderStateOf(facts)).toEqual({ state, badge, sentence });
});

test('trouble has an action for the operator, or ends without one', () => {
  const actions = Object.fromEntries(folderTroubles.map((kind) => [kind, troubleActionOf(kind)]));
  expect(actions).toMatchObject({
    'sign in': 'sign in',
    'not found': 'check folder',
    empty: 'check folder',
    throttled: 'wait',
    network: 'wait',
  });
  expect(troubleActionOf(null)).toBeNull();
});

test('a file has a sentence for its state, and one for what became of it', () => {
  const none = { option: null, reason: null };
  expect(watchedFileSentenceOf({ state: 'waiting', ...none })).toBe('Next.');
  expect(watchedFileSentenceOf({ state: 'refused', option: null, reason: 'Too large.' })).toBe('Too large.');
  expect(watchedFileSentenceOf({ state: 'waiting', option: null, reason: 'It couldn’t be read.' })).toBe(
    'It couldn’t be read. The file is tried again.',
  );
  expect(watchedFileSentenceOf({ state: 'taken', option: 'due', reason: null })).toBe('Imported.');
  expect(watchedFileSentenceOf({ state: 'taken', option: 'archived', reason: null })).toBe(
    'Imported. Moved to Archive.',
  );
  expect(watchedFileSentenceOf({ state: 'taken', option: 'kept', reason: 'The folder is read-only.' })).toBe(
    'Imported. The folder is read-only.',
  );
  expect(watchedFileSentenceOf({ state: 'taken', option: 'left', reason: null })).toBe(
    'Imported. The file changed meanwhile, so it stayed.',
  );
});

test('a file that nobody reads now says what it waits for', () => {
  const file = { state: 'waiting', take_anyway: false } as const;
  const on = { state: 'ok', workers: 1 } as const;
  const off = { state: 'off', workers: 1 } as const;
  expect(waitSentenceOf(file, on)).toBeNull();
  expect(waitSentenceOf(file, off)).toBe('Waits until file monitoring is on.');
  expect(waitSentenceOf({ ...file, take_anyway: true }, off)).toBeNull();
  expect(waitSentenceOf({ ...file, take_anyway: true }, { ...off, workers: 0 })).toBe(
    'Waits: no folder worker is running.',
  );
  expect(waitSentenceOf({ ...file, state: 'taken' }, { ...on, workers: 0 })).toBeNull();
});

test('files that were not imported can be taken while they are there', () => {
  const takeable = (option: 'kept' | 'archived' | 'deleted' | null) =>
    watchedFileStates.filter((state) => isImportable({ state, option }));
  expect(takeable(null)).toEqual(['held', 'same', 'refused', 'ignored', 'failed']);
  expect(takeable('kept')).toEqual(takeable(null));
  expect([...takeable('archived'), ...takeable('deleted')]).toEqual([]);
});
