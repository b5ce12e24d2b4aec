import { expect, test } from 'vitest';
import { countQueueImports, listFirstSteps, listNeeds, orderByNeed } from './dashboard-words.ts';

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
      ['2 have a question', `${all}asking`],
    ],
  ],
])('what %j needs, and where it is', (statuses, needs) => {
  expect(listNeeds(imports(...statuses)).map(({ words, path }) => [words, path])).toEqual(needs);
});

test('prices that suppliers have changed since the operator did are to be decided', () => {
  const [april, may] = imports('processed', 'processed').map((one) => ({ ...one, pricesToDecide: 31 }));
  const lastOf = (list: Parameters<typeof listNeeds>[0]) => listNeeds(list).at(-1);
  expect(april && lastOf([april])).toEqual({
    words: '0.csv: 31 of your prices to decide',
    path: '/queue/0?details=proposals&proposals=supplier',
  });
  expect(april && may && lastOf([april, may])).toEqual({
    words: '2 imports with prices to decide',
    path: '/suppliers',
  });
});

test('what needs the operator comes first; the order within a status stays, unknown ones are last', () => {
  const ordered = orderByNeed(
    imports('thawing', 'completed', 'processing', 'queued', 'error', 'queued', 'uploading', 'processed?'),
  );
  expect(ordered.map(({ id, status }) => `${id} ${status}`)).toEqual([
    '3 queued',
    '5 queued',
    '7 processed',
    '4 error',
    '6 uploading',
    '2 processing',
    '1 completed',
    '0 thawing',
  ]);
});

test('imports that were just completed are no longer in the queue', () => {
  expect(countQueueImports(imports('queued', 'completed', 'error', 'completed'))).toBe(2);
});

const steps = { uploaded: false, fixed: false, pushed: false, waiting: null };
const progress = { steps, seenStore: false, hasOwnStore: false };
const waiting = { id: '7', problems: 3 };
const done = (of: typeof progress | Parameters<typeof listFirstSteps>[0]) =>
  listFirstSteps(of)
    .map((step) => (step.done ? 'x' : '-'))
    .join('');

test('the steps are done one by one', () => {
  expect(done(progress)).toBe('-----');
  expect(done({ ...progress, steps: { ...steps, uploaded: true, waiting } })).toBe('x----');
  expect(done({ ...progress, steps: { ...steps, uploaded: true, fixed: true, waiting } })).toBe('xx---');
  const pushed = { ...steps, uploaded: true, pushed: true };
  // A push of what needed no fix.
  expect(done({ ...progress, steps: pushed })).toBe('xxx--');
  expect(done({ ...progress, steps: pushed, seenStore: true })).toBe('xxxx-');
  expect(done({ ...progress, steps: pushed, hasOwnStore: true })).toBe('xxxxx');
  expect(done({ ...progress, hasOwnStore: true })).toBe('----x');
});

test('a push without a fix has left the problems out', () => {
  const words = (fixed: boolean) =>
    listFirstSteps({ ...progress, steps: { ...steps, uploaded: true, fixed, pushed: true } })[1]?.words;
  expect(words(false)).toBe('Fix problems, or leave them out');
  expect(words(true)).toBe('Fix problems');
});

test('a file without problems has nothing to fix', () => {
  const uploaded = { ...steps, uploaded: true, waiting: { id: '7', problems: 0 } };
  expect(done({ ...progress, steps: uploaded })).toBe('x----');
  expect(listFirstSteps({ ...progress, steps: uploaded })[1]).toEqual({
    ...{ words: 'Nothing to fix yet', done: false, path: null },
  });
});

test('the steps lead to the import that waits', () => {
  const list = listFirstSteps({ ...progress, steps: { ...steps, uploaded: true, waiting } });
  expect(list.map(({ words, path }) => [words, path])).toEqual([
    ['Upload a file', '/upload'],
    ['Fix 3 problems', '/queue/7?class=needs-you'],
    ['Push', '/queue/7'],
    ['See it in the store', null],
    ['Connect your store', '/settings?tab=connections'],
  ]);
  const pushed = listFirstSteps({ ...progress, steps: { ...steps, uploaded: true, pushed: true } });
  expect(pushed.find(({ words }) => words === 'See it in the store')?.path).toBe('/shopify?tab=products');
});

test('a step leads nowhere while there is nothing to do it with', () => {
  const list = listFirstSteps(progress);
  expect(list.map(({ words }) => words)[1]).toBe('Fix problems');
  expect(list.map(({ path }) => path)).toEqual(['/upload', null, null, null, '/settings?tab=connections']);
  // A file that is still read.
  const reading = listFirstSteps({ ...progress, steps: { ...steps, uploaded: true } });
  expect(reading.map(({ path }) => path).slice(1, 3)).toEqual(['/queue', '/queue']);
});
