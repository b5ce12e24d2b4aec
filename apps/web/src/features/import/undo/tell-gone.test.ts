import type { Gone } from '@draftshelf/contract/push/gone';
import { expect, test } from 'vitest';
import { sumsWords } from '../list/gone-words.ts';
import { goneEnd } from './tell-gone.ts';

const sum = (end: Gone['sums'][number]['end'], products: number, code: 'changed' | null = null) => ({
  ...{ end, code, products },
});
const told = (set: Partial<Gone>) =>
  goneEnd(
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
  const words = (...sums: Gone['sums']) => sumsWords(sums, 'draft', false);
  expect(words(sum('already', 7))).toEqual(['All 7 are drafts already.']);
  expect(words(sum('already', 1))).toEqual(['1 product is a draft already.']);
  expect(words(sum('draft', 2), sum('already', 7))).toEqual([
    '2 products become drafts.',
    '7 products are drafts already.',
  ]);
});
