import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { expect, test } from 'vitest';
import { undoEnd } from './tell-undo.ts';

const record = { id: 'i', filename: 'spring.csv' };
const undo = (set: Partial<PushUndo>) =>
  undoEnd({ state: 'undone', gone: null, message: null, results: [], ...set } as PushUndo, record);

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
