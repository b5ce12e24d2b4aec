import { expect, test } from 'vitest';
import { needsWords, orderByNeed } from './needs-words.ts';

const jobs = (...statuses: string[]) => statuses.map((status, id) => ({ id, status }));

test.each([
  [[], null],
  [['processing', 'paused', 'completed'], null],
  [['queued'], '1 import needs your review.'],
  [['queued', 'queued'], '2 imports need your review.'],
  [['processed'], '1 import is ready for Shopify.'],
  [['processed', 'processed'], '2 imports are ready for Shopify.'],
  [['queued', 'queued', 'processed'], '2 imports need your review, 1 is ready for Shopify.'],
])('what %j needs', (statuses, words) => {
  expect(needsWords(jobs(...statuses))).toBe(words);
});

test('what needs the operator comes first; the order within a status stays, unknown ones are last', () => {
  const ordered = orderByNeed(
    jobs('thawing', 'completed', 'processing', 'queued', 'error', 'queued', 'uploading'),
  );
  expect(ordered.map(({ id, status }) => `${id} ${status}`)).toEqual([
    '3 queued',
    '5 queued',
    '4 error',
    '6 uploading',
    '2 processing',
    '1 completed',
    '0 thawing',
  ]);
});
