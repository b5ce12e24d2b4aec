import { expect, test } from 'vitest';
import { queuedWords } from './queued-words.ts';

const outcomes = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
const record = { autoMode: null, outcomes, warningProducts: 0, errorProducts: 0 };

test('says what an import without a product to fix waits for', () => {
  expect(queuedWords(record, 0)).toBe('Review the rows, then push.');
  expect(queuedWords({ ...record, autoMode: 'manual' }, 0)).toBe(
    'Waits for your review, as set for the watched folder.',
  );
  expect(queuedWords({ ...record, errorProducts: 1 }, 0)).toBe(
    'Nothing left to fix: 1 product is left out. Push when you’re ready.',
  );
});

test('asks for a decision before it says that the import can be pushed', () => {
  expect(queuedWords({ ...record, errorProducts: 1 }, 1)).toBe(
    'Nothing left to fix. 1 product needs your decision.',
  );
  expect(queuedWords(record, 12)).toBe('Nothing left to fix. 12 products need your decision.');
});
