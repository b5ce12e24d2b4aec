import { expect, test } from 'vitest';
import { effectWords, extentWords } from './effect-words.ts';

const counts = (valid: number, warning = 0, error = 0) => ({ rows: 30, valid, warning, error });

test.each([
  [counts(20), counts(0, 0, 30), 'Valid 20 → 0 · Errors 0 → 30'],
  [counts(23_131, 1498), counts(24_870, 0), 'Valid 23,131 → 24,870 · Warnings 1,498 → 0'],
  [counts(20), counts(20), 'Valid 20'],
  [null, counts(3, 1), 'Valid 3 · Warnings 1'],
])('from %o to %o', (before, after, words) => expect(effectWords(before, after)).toBe(words));

test('a sample says how many rows it has', () => {
  const after = { ...counts(1), dialect: null as never, headers: [], records: [] };
  expect(extentWords({ isWhole: false, after, added: 0 })).toBe('from the first 30 rows');
  expect(extentWords({ isWhole: true, after, added: 0 })).toBe('');
  expect(extentWords({ isWhole: true, after: null, added: 1 })).toBe('');
});

test('rows that were added from the scanner are counted apart', () => {
  const after = { ...counts(1), rows: 20, dialect: null as never, headers: [], records: [] };
  expect(extentWords({ isWhole: true, after, added: 1 })).toBe('20 rows and 1 added');
  expect(extentWords({ isWhole: false, after, added: 1 })).toBe('from the first 20 rows');
});
