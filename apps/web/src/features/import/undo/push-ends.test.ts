import { expect, test } from 'vitest';
import type { ShownCurrent } from '../dashboard-api.ts';
import {
  carryingOut,
  endNotice,
  newEnds as endsBeside,
  endWords,
  type KnownPushes,
  titleMark,
} from './push-ends.ts';

const newEnds = (known: KnownPushes | null, imports: ShownCurrent[], undos = new Map<string, string>()) =>
  endsBeside(known, imports, undos);

const none = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
const record = (id: string, status: string, set: object = {}) => ({
  ...{ id, filename: `${id}.csv`, status, failedIn: null, progress: 0, errorMessage: null },
  ...{
    pace: null,
    foundSincePush: 0,
    isAsking: false,
    pricesToDecide: 0,
    processedProducts: 0,
    totalProducts: 900,
    validProducts: 0,
    warningProducts: 0,
    errorProducts: 0,
  },
  ...{
    outcomes: none,
    waitingFor: null,
    waitingUntil: null,
    isUndoing: false,
    changesGone: false,
    createdAt: '2026-11-20T10:00:00Z',
    startedAt: '10:00',
  },
  ...set,
});
const idsOf = ({ ended, gone }: ReturnType<typeof newEnds>) => ({
  ended: ended.map(({ id }) => id),
  gone,
});

test('pushes that ended before the first reply are not news', () => {
  expect(idsOf(newEnds(null, [record('a', 'completed'), record('b', 'uploading')]))).toEqual({
    ended: [],
    gone: [],
  });
});

test('a push is told once, also one that began and ended between two replies, and again when it is repeated', () => {
  const first = newEnds(null, [record('a', 'uploading'), record('b', 'processed'), record('c', 'completed')]);
  const after = [record('a', 'completed'), record('b', 'completed'), record('c', 'completed')];
  const second = newEnds(first.known, after);
  expect(idsOf(second)).toEqual({ ended: ['a', 'b'], gone: [] });
  const third = newEnds(second.known, after);
  expect(idsOf(third)).toEqual({ ended: [], gone: [] });
  expect(idsOf(newEnds(third.known, [record('c', 'completed', { startedAt: '10:05' })])).ended).toEqual([
    'c',
  ]);
});

test('failed pushes and pushes of edited imports have ended; failed reads and pauses have not', () => {
  const { known } = newEnds(
    null,
    ['a', 'b', 'c', 'd'].map((id) => record(id, 'uploading')),
  );
  const imports = [
    record('a', 'error', { failedIn: 'push' }),
    record('b', 'queued'),
    record('c', 'paused'),
    record('e', 'error', { failedIn: 'parse' }),
    record('f', 'queued'),
  ];
  expect(idsOf(newEnds(known, imports))).toEqual({ ended: ['a', 'b'], gone: ['d'] });
});

test('runs that carry a preview out are told apart from pushes, until they have ended or failed', () => {
  const gone = { changesGone: true };
  expect(carryingOut(record('a', 'uploading', gone))).toEqual({ filename: 'a.csv', isAboutGone: true });
  expect(carryingOut(record('a', 'paused', { isUndoing: true }))).toEqual({
    filename: 'a.csv',
    isAboutGone: false,
  });
  expect(carryingOut(record('a', 'error', gone))).toBeNull();
  expect(carryingOut(record('a', 'uploading'))).toBeNull();
});

test('an undo is no end of a push, neither while it runs nor afterwards', () => {
  const undos = new Map([['a', 'a.csv']]);
  const first = newEnds(null, [record('a', 'completed'), record('b', 'uploading')]);
  const second = newEnds(first.known, [record('a', 'uploading', { isUndoing: true })], undos);
  expect(idsOf(second)).toEqual({ ended: [], gone: ['b'] });
  const third = newEnds(second.known, [record('a', 'completed')], undos);
  expect(idsOf(third)).toEqual({ ended: [], gone: [] });
  expect(idsOf(newEnds(third.known, [record('a', 'completed')]))).toEqual({ ended: [], gone: [] });
  expect(idsOf(newEnds(second.known, [], undos))).toEqual({ ended: [], gone: [] });
});

test('the words have the outcomes, or the cause of a failure', () => {
  const pushed = record('push-900', 'completed', { outcomes: { ...none, created: 900, skipped: 3 } });
  expect(endWords(pushed)).toBe('push-900.csv: 900 created, 3 skipped.');
  expect(endWords(record('x', 'error', { errorMessage: 'The store is locked.' }))).toBe(
    'x.csv: The store is locked.',
  );
  expect(endNotice([pushed])).toEqual({
    title: 'Push Completed',
    text: ['push-900.csv: 900 created, 3 skipped.'],
    tone: 'plain',
    link: { report: 'push-900', words: 'View Report' },
  });
  expect(endNotice([pushed, record('y', 'error')])).toMatchObject({
    title: '2 pushes ended',
    tone: 'failure',
    link: null,
  });
  expect(titleMark([pushed])).toBe('✓ push-900.csv');
  expect(titleMark([pushed, record('y', 'error')])).toBe('✗ 2 pushes');
});
