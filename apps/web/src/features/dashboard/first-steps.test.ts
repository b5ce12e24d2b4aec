import { expect, test } from 'vitest';
import { stepsOf } from './first-steps.ts';

const steps = { uploaded: false, fixed: false, pushed: false, waiting: null };
const progress = { steps, seenStore: false, hasOwnStore: false };
const waiting = { id: '7', problems: 3 };
const done = (of: typeof progress | Parameters<typeof stepsOf>[0]) =>
  stepsOf(of)
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
    stepsOf({ ...progress, steps: { ...steps, uploaded: true, fixed, pushed: true } })[1]?.words;
  expect(words(false)).toBe('Fix problems, or leave them out');
  expect(words(true)).toBe('Fix problems');
});

test('a file without problems has nothing to fix', () => {
  const uploaded = { ...steps, uploaded: true, waiting: { id: '7', problems: 0 } };
  expect(done({ ...progress, steps: uploaded })).toBe('x----');
  expect(stepsOf({ ...progress, steps: uploaded })[1]).toEqual({
    ...{ words: 'Nothing to fix yet', done: false, path: null },
  });
});

test('the steps lead to the import that waits', () => {
  const list = stepsOf({ ...progress, steps: { ...steps, uploaded: true, waiting } });
  expect(list.map(({ words, path }) => [words, path])).toEqual([
    ['Upload a file', '/upload'],
    ['Fix 3 problems', '/queue/7?class=needs-you'],
    ['Push', '/queue/7'],
    ['See it in the store', null],
    ['Connect your store', '/settings?tab=connections'],
  ]);
  const pushed = stepsOf({ ...progress, steps: { ...steps, uploaded: true, pushed: true } });
  expect(pushed.find(({ words }) => words === 'See it in the store')?.path).toBe('/shopify?tab=products');
});

test('a step leads nowhere while there is nothing to do it with', () => {
  const list = stepsOf(progress);
  expect(list.map(({ words }) => words)[1]).toBe('Fix problems');
  expect(list.map(({ path }) => path)).toEqual(['/upload', null, null, null, '/settings?tab=connections']);
  // A file that is still read.
  const reading = stepsOf({ ...progress, steps: { ...steps, uploaded: true } });
  expect(reading.map(({ path }) => path).slice(1, 3)).toEqual(['/queue', '/queue']);
});
