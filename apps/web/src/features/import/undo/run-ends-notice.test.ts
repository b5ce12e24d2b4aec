import type { GoneProductsPlan } from '@draftshelf/contract/push/gone';
import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { expect, test } from 'vitest';
import type { ShownCurrent } from '../dashboard-api.ts';
import { goneSentences } from '../list/gone-words.ts';
import {
  createGoneRunEnd,
  createPushEnd,
  createUndoEnd,
  findNewPushEnds as endsBeside,
  findStoreRun,
  type KnownPushes,
  pushEndWords,
} from './run-ends-notice.tsx';

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
  expect(findStoreRun(record('a', 'uploading', gone))).toBe('getGone');
  expect(findStoreRun(record('a', 'paused', { isUndoing: true }))).toBe('getPushUndo');
  expect(findStoreRun(record('a', 'error', gone))).toBeNull();
  expect(findStoreRun(record('a', 'uploading'))).toBeNull();
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
  expect(pushEndWords(pushed)).toBe('push-900.csv: 900 created, 3 skipped.');
  expect(pushEndWords(record('x', 'error', { errorMessage: 'The store is locked.' }))).toBe(
    'x.csv: The store is locked.',
  );
  expect(createPushEnd([pushed])).toEqual({
    toast: {
      title: 'Push Completed',
      text: ['push-900.csv: 900 created, 3 skipped.'],
      tone: 'plain',
      link: { report: 'push-900', words: 'View Report' },
    },
    mark: '✓ push-900.csv',
  });
  const several = createPushEnd([pushed, record('y', 'error')]);
  expect(several).toMatchObject({ toast: { title: '2 pushes ended', tone: 'failure' }, mark: '✗ 2 pushes' });
  expect(several.toast.link).toBeUndefined();
});

const sum = (
  end: GoneProductsPlan['sums'][number]['end'],
  products: number,
  code: 'changed' | null = null,
) => ({
  ...{ end, code, products },
});
const told = (set: Partial<GoneProductsPlan>) =>
  createGoneRunEnd(
    { state: 'undone', action: 'quantity', results: [sum('quantity', 3)], message: null, ...set },
    { id: 'i', filename: 'may.csv' },
  );

test('the end of a change of products that are no longer listed says what was done with them', () => {
  expect(told({})).toEqual({
    toast: {
      title: 'Set quantity to 0',
      text: 'may.csv: 3 products have quantity 0 now.',
      tone: 'plain',
      link: { to: '/queue/i?details=list-since', words: 'Show List' },
    },
    mark: '✓ may.csv',
  });
  expect(
    told({ action: 'archive', results: [sum('archive', 1), sum('keep', 2, 'changed')] }).toast.text,
  ).toBe('may.csv: 1 product is archived now. 2 products stayed: status changed in the store.');
  expect(told({ state: 'stopped', results: [] }).toast).toMatchObject({
    title: 'Set quantity to 0: stopped',
    text: 'may.csv: Nothing was changed.',
  });
  expect(told({ state: 'failed', message: 'The store is locked.' })).toMatchObject({
    toast: { title: 'Set quantity to 0: failed', tone: 'failure' },
    mark: '✗ may.csv',
  });
});

test('products that are so already are named by what they are', () => {
  const words = (...sums: GoneProductsPlan['sums']) => goneSentences(sums, 'draft', false);
  expect(words(sum('already', 7))).toEqual(['All 7 are drafts already.']);
  expect(words(sum('already', 1))).toEqual(['1 product is a draft already.']);
  expect(words(sum('draft', 2), sum('already', 7))).toEqual([
    '2 products become drafts.',
    '7 products are drafts already.',
  ]);
});

const undo = (set: Partial<PushUndo>) =>
  createUndoEnd({ state: 'undone', gone: null, message: null, results: [], ...set } as PushUndo, {
    id: 'i',
    filename: 'spring.csv',
  });

test('the end of an undo says what was done, and leads to its products', () => {
  const results: PushUndo['results'] = [
    { action: 'keep', code: 'changed', products: 20 },
    { action: 'keep', code: 'published', products: 2 },
    { action: 'delete', code: null, products: 1487 },
    { action: 'nothing', code: null, products: 5 },
  ];
  expect(undo({ results })).toEqual({
    toast: {
      title: 'Push undone',
      text: 'spring.csv: 1,487 deleted, 22 stayed.',
      tone: 'plain',
      link: { to: '/queue/i?undo=push', words: 'Show Products' },
    },
    mark: '✓ spring.csv',
  });
  const kept = results.filter(({ action }) => action === 'keep' || action === 'nothing');
  expect(undo({ results: kept }).toast).toMatchObject({
    title: 'Nothing was undone',
    text: 'spring.csv: 22 stayed.',
  });
  expect(undo({}).toast.text).toBe('spring.csv: nothing to undo.');
  expect(undo({ state: 'stopped', results }).toast).toMatchObject({ title: 'Undo stopped', tone: 'plain' });
  expect(undo({ state: 'failed', results, message: 'The store is locked.' })).toMatchObject({
    toast: {
      title: 'Undo failed',
      text: 'spring.csv: 1,487 deleted, 22 stayed. The store is locked.',
      tone: 'failure',
    },
    mark: '✗ spring.csv',
  });
});

test('the undo of a change of products that were no longer listed names that change', () => {
  const results: PushUndo['results'] = [{ action: 'restore', code: null, products: 2 }];
  expect(undo({ results, gone: 'archive' }).toast).toMatchObject({
    title: '“Archive” undone',
    text: 'spring.csv: 2 restored.',
  });
});
