import type { BeforePush } from '@draftshelf/contract/imports/before-push';
import { expect, test } from 'vitest';
import { queuedWords } from './queued-words.ts';

type Fact = BeforePush['facts'][number];

const outcomes = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
const record = { autoMode: null, outcomes, warningProducts: 2, errorProducts: 0 };
const fact = (kind: Fact['kind'], count: number, of: Fact['of']): Fact => ({ kind, count, of, sentence: '' });

test('says what an import without a product to fix waits for', () => {
  expect(queuedWords(record, [])).toBe('Review the rows, then push.');
  expect(queuedWords({ ...record, autoMode: 'manual' }, [])).toBe(
    'Waits for your review, as set for the watched folder.',
  );
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
