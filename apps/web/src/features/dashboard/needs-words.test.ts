import { expect, test } from 'vitest';
import { countWaiting, needsOf, orderByNeed } from './needs-words.ts';

const imports = (...statuses: string[]) =>
  statuses.map((word, at) => {
    const [status = '', question] = word.split('?');
    return {
      ...{ id: `${at}`, status, filename: `${at}.csv`, isAsking: question !== undefined },
      pricesToDecide: 0,
    };
  });

const all = '/queue?status=';

test.each([
  [[], []],
  [['processing', 'paused', 'completed'], []],
  [['paused', 'queued'], [['1 import needs your review', '/queue/1?class=needs-you']]],
  [['queued', 'queued'], [['2 imports need your review', `${all}queued`]]],
  [['processed'], [['1 import is ready for Shopify', '/queue/0']]],
  [['processed', 'processed'], [['2 imports are ready for Shopify', `${all}processed`]]],
  [
    ['queued', 'queued', 'processed'],
    [
      ['2 imports need your review', `${all}queued`],
      ['1 is ready for Shopify', '/queue/2'],
    ],
  ],
  [['processed?'], [['1 import has a question', '/queue/0']]],
  [
    ['processed?', 'queued?', 'processed', 'processed?'],
    [
      ['1 import needs your review', '/queue/1?class=needs-you'],
      ['1 is ready for Shopify', '/queue/2'],
      ['2 have a question', `${all}processed`],
    ],
  ],
])('what %j needs, and where it is', (statuses, needs) => {
  expect(needsOf(imports(...statuses)).map(({ words, path }) => [words, path])).toEqual(needs);
});

test('prices that suppliers have changed since the operator did are to be decided', () => {
  const [april, may] = imports('processed', 'processed').map((one) => ({ ...one, pricesToDecide: 31 }));
  const lastOf = (list: Parameters<typeof needsOf>[0]) => needsOf(list).at(-1);
  expect(april && lastOf([april])).toEqual({
    words: '0.csv: 31 of your prices to decide',
    path: '/queue/0?proposals=supplier',
  });
  expect(april && may && lastOf([april, may])).toEqual({
    words: '2 imports with prices to decide',
    path: '/suppliers',
  });
});

test('what needs the operator comes first; the order within a status stays, unknown ones are last', () => {
  const ordered = orderByNeed(
    imports('thawing', 'completed', 'processing', 'queued', 'error', 'queued', 'uploading'),
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

test('imports that were just completed are no longer in the queue', () => {
  expect(countWaiting(imports('queued', 'completed', 'error', 'completed'))).toBe(2);
});
