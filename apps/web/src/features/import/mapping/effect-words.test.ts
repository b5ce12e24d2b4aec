import { expect, test } from 'vitest';
import { effectWords, extentWords, isWorse } from './effect-words.ts';

const counts = (valid: number, warning = 0, error = 0) => ({ rows: 30, valid, warning, error });

test.each([
  [counts(20), counts(0, 0, 20), 'Valid 20 → 0 · Errors 0 → 20'],
  [counts(23_131, 1498), counts(24_629, 0), 'Valid 23,131 → 24,629 · Warnings 1,498 → 0'],
  [counts(98), counts(90), 'Products 98 → 90 · Valid 98 → 90'],
  [counts(20), counts(20), 'Valid 20'],
  [null, counts(3, 1), 'Valid 3 · Warnings 1'],
])('from %o to %o', (before, after, words) => expect(effectWords(before, after)).toBe(words));

test('a reading is worse with more problems or fewer rows, not if rows become variants', () => {
  expect(isWorse(counts(98), counts(90))).toBe(false);
  expect(isWorse(counts(20), counts(19, 1))).toBe(true);
  expect(isWorse(counts(20), { ...counts(20), rows: 29 })).toBe(true);
  expect(isWorse(null, counts(0, 3))).toBe(false);
});

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
