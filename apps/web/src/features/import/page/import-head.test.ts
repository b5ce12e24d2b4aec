import type { PrePushFacts } from '@draftshelf/contract/imports/before-push';
import { expect, it, test } from 'vitest';
import { productsWords, queuedWords, readyWords, taskWords } from './import-head.tsx';

type Fact = PrePushFacts['facts'][number];

const outcomes = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
const record = { autoMode: null, outcomes, source: 'local', warningProducts: 2, errorProducts: 0 } as const;
const fact = (kind: Fact['kind'], count: number, of: Fact['of']): Fact => ({ kind, count, of, sentence: '' });

test('says what an import without a product to fix waits for', () => {
  expect(queuedWords(record, [])).toBe('Review the rows, then push.');
  expect(queuedWords({ ...record, autoMode: 'manual' }, [])).toBe(
    'Waits for your review, as set for the watched folder.',
  );
  expect(queuedWords({ ...record, autoMode: 'manual', source: 'address' }, [])).toBe(
    'Waits for your review, as set in Settings.',
  );
});

test('counts rows beside products only where they differ', () => {
  expect(productsWords({ totalProducts: 37, totalRows: 211 })).toBe('37 products (211 rows)');
  expect(productsWords({ totalProducts: 1, totalRows: 1 })).toBe('1 product');
});

test('says how many products are ready until a plan says more', () => {
  const none = { otherCurrency: null, shop: null, columnQuestions: 0, asksRecipes: false };
  const ready = { ...none, status: 'processed', totalProducts: 5, createdProducts: 0 };
  const before = { facts: [], scope: { sent: 4, of: 5 }, open: 1 };
  expect(readyWords(ready, before)).toBe('4 products are ready to push.');
  expect(readyWords({ ...ready, createdProducts: 5 }, { ...before, scope: null })).toBe(
    'A push sends only what has changed since the last one.',
  );
  expect(readyWords({ ...ready, status: 'queued' }, before)).toBe('');
  expect(readyWords({ ...ready, columnQuestions: 1 }, before)).toBe('');
});

test('counts what is left out as the list of what to know before a push does', () => {
  expect(queuedWords(record, [fact('left-out', 1, 'product')])).toBe(
    'Nothing left to fix: 1 product is left out. Push when you’re ready.',
  );
  expect(queuedWords(record, [fact('left-out', 3, 'row')])).toBe(
    'Nothing left to fix: 3 rows are left out. Push when you’re ready.',
  );
});

test('asks for a decision before it says that the import can be pushed', () => {
  expect(queuedWords(record, [fact('to-decide', 1, 'product'), fact('left-out', 1, 'product')])).toBe(
    'Nothing left to fix. 1 product needs your decision.',
  );
  expect(queuedWords(record, [fact('to-decide', 12, 'product')])).toBe(
    'Nothing left to fix. 12 products need your decision.',
  );
});

const task = {
  id: 1,
  label: 'Comparing with other imports',
  state: 'running' as const,
  done: 4_000,
  total: 45_000,
  command: null,
  waitingFor: null,
  error: null,
};

it.each([
  [task, 'Comparing with other imports: 4,000 of 45,000 rows'],
  [{ ...task, done: 0, total: 1 }, 'Comparing with other imports: 0 of 1 row'],
  [{ ...task, total: null }, 'Comparing with other imports: 4,000 so far'],
  [{ ...task, waitingFor: 'Waiting for a reason.' }, 'Comparing with other imports: Waiting for a reason.'],
  [
    { ...task, state: 'failed' as const, error: 'Full disk' },
    'Comparing with other imports failed: Full disk',
  ],
])('%o', (taskNow, words) => {
  expect(taskWords(taskNow)).toBe(words);
});
