import type { Folder } from '@draftshelf/contract/folders/folders';
import { expect, test } from 'vitest';
import { formatMoment } from '../../lib/intl.ts';
import {
  describeFolder,
  describeFolderCounts,
  describeFolderFacts,
  describeRights,
  describeSignIn,
  describeTimeLeft,
  findFilesQuestion,
  importButtonLabel,
} from './folder-status.tsx';

const nowMs = Date.parse('2026-11-22T08:31:00Z');
const lookedAt = '2026-11-22T08:30:00.000Z';
const nextAt = '2026-11-22T09:00:00.000Z';
const clock = (time: string) => formatMoment(time, nowMs);
const folder: Folder = {
  source: 'onedrive',
  state: 'ok',
  badge: 'Connected',
  sentence: '/In is watched.',
  place: '/In',
  isSignedIn: true,
  account: 'ada@example.com',
  simulated: false,
  canWrite: true,
  lastLook: lookedAt,
  nextLook: nextAt,
  isLooking: false,
  trouble: null,
  files: 3,
  counts: { waiting: 0, taken: 0, same: 0, refused: 0, failed: 0, ignored: 0 },
  existing: null,
  held: null,
  workers: 1,
};
const network = 'OneDrive can’t be reached. It is tried again.';
const ended = 'The sign-in has ended. Sign in again; files that arrived meanwhile are imported then.';
/** Real trouble always has the time of the next try. */
const troubled = (
  sentence: string,
  action: 'wait' | 'sign in',
  until: string | null = nextAt,
): Partial<Folder> => ({
  state: 'trouble',
  sentence,
  trouble: { sentence, cause: null, since: lookedAt, action, until },
});

test.each<[Partial<Folder>, string]>([
  [{}, `Checked at ${clock(lookedAt)}. Checks again at ${clock(nextAt)}.`],
  [
    { counts: { ...folder.counts, waiting: 2 } },
    `Checked at ${clock(lookedAt)}, 2 files waiting. Checks again at ${clock(nextAt)}.`,
  ],
  [{ nextLook: lookedAt }, `Checked at ${clock(lookedAt)}. Checks again in a moment.`],
  [{ isLooking: true }, `Checked at ${clock(lookedAt)}. Checking now.`],
  [
    { state: 'off', sentence: 'Turn on file monitoring to watch /In.' },
    'Turn on file monitoring to watch /In.',
  ],
  [troubled('Microsoft asks to wait.', 'wait'), `Microsoft asks to wait. Tries again at ${clock(nextAt)}.`],
  [troubled(network, 'wait'), `OneDrive can’t be reached. Tries again at ${clock(nextAt)}.`],
  [troubled(network, 'wait', lookedAt), 'OneDrive can’t be reached. Tries again in a moment.'],
  [troubled(network, 'wait', null), network],
  [troubled(ended, 'sign in'), ended],
])('the line of %j is %s', (change, line) => {
  expect(describeFolder({ ...folder, ...change }, nowMs)).toBe(line);
});

test('account, place and notes are one line', () => {
  expect(describeFolderFacts(folder)).toBe('ada@example.com · /In');
  expect(describeFolderFacts({ ...folder, place: null, account: null })).toBe('');
  const sentence = 'Turn on file monitoring to watch /In.';
  expect(describeFolderFacts({ ...folder, state: 'off', sentence })).toBe('ada@example.com');
  expect(describeFolderFacts({ ...folder, simulated: true })).toBe(
    'ada@example.com · /In. This OneDrive is simulated on this machine.',
  );
  expect(describeFolderFacts({ ...folder, canWrite: false })).toMatch(
    /turn on the setting for it, save, and sign in again\.$/,
  );
  expect(describeFolderFacts({ ...folder, canWrite: false, isSignedIn: false })).toBe('/In');
  expect(describeFolderFacts({ ...folder, source: 'local', account: null, canWrite: false })).toBe(
    '/In. It’s read-only: files can’t be deleted or archived.',
  );
});

test('the counts name what there is', () => {
  expect(describeFolderCounts(folder)).toBe('');
  expect(describeFolderCounts({ ...folder, counts: { ...folder.counts, taken: 12, refused: 1 } })).toBe(
    '12 files imported · 1 file refused',
  );
});

test('one question is about all files that wait for an answer', () => {
  expect(findFilesQuestion(folder)).toBeNull();
  expect(findFilesQuestion({ existing: { files: 411 }, held: { files: 1 } })).toEqual({
    text: '412 files were there before watching began.',
    take: 'Import Them',
    leave: 'Leave Them',
  });
  expect(findFilesQuestion({ existing: { files: 1 }, held: null })).toEqual({
    text: '1 file was there before watching began.',
    take: 'Import It',
    leave: 'Leave It',
  });
  expect(findFilesQuestion({ existing: null, held: { files: 1 } })?.text).toBe(
    '1 new file arrived. Nothing was imported yet.',
  );
  expect(findFilesQuestion({ existing: null, held: { files: 1200 } })?.text).toMatch(
    /^1.200 new files arrived at once\./,
  );
});

test('an account is signed in, an app registration is connected, and both can end', () => {
  const words = (account: string | null, way: 'code' | 'app' | undefined, change: Partial<Folder> = {}) =>
    describeSignIn({ ...folder, ...change, account }, way);
  expect(words('ada@example.com', 'code')).toBe('Signed in as ada@example.com.');
  expect(words('ada@example.com', 'app')).toBe('Connected to ada@example.com.');
  expect(words('https://example.sharepoint.com/sites/prices', undefined)).toBe(
    'Connected to https://example.sharepoint.com/sites/prices.',
  );
  expect(words(null, undefined)).toBe('Signed in.');
  const over = troubled(ended, 'sign in');
  expect(words('ada@example.com', 'code', over)).toBe('The sign-in of ada@example.com has ended.');
  expect(words('ada@example.com', 'app', over)).toBe('The connection to ada@example.com has ended.');
  expect(words(null, undefined, over)).toBe('The sign-in has ended.');
  expect(describeFolderFacts({ ...folder, ...over, canWrite: false })).toBe('ada@example.com · /In');
});

test('the minutes of a code are counted, and so is its end', () => {
  expect(describeTimeLeft(nextAt, nowMs)).toBe('Valid for another 29 minutes.');
  expect(describeTimeLeft(lookedAt, nowMs)).toBe('The code has expired.');
});

test('the file options decide what is asked of Microsoft', () => {
  expect(describeRights({ deleteAfterProcess: false, moveToArchive: false })).toBe('Read files');
  expect(describeRights({ deleteAfterProcess: false, moveToArchive: true })).toBe(
    'Read, move and delete files',
  );
});

test('a button says whether the file is tried again or taken anyway', () => {
  expect(
    (['refused', 'failed', 'same', 'ignored', 'held'] as const).map((state) => importButtonLabel({ state })),
  ).toEqual(['Try Again', 'Try Again', 'Import It', 'Import It', 'Import It']);
});
