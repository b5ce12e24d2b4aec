import { expect, test } from 'vitest';
import { scopeWords } from './import-labels.ts';

test.each([
  [{ sent: 34, of: 40 }, '34 of 40'],
  [{ sent: 53, of: 53 }, '53'],
  [{ sent: 0, of: 7 }, '0 of 7'],
  [{ sent: 12_000, of: 12_000, changed: 530 }, '530 changed'],
  [{ sent: 3, of: 20, changed: 4 }, '3 of 20'],
  [{ sent: 20, of: 20, changed: 20 }, '20'],
])('%o', (scope, words) => {
  expect(scopeWords(scope)).toBe(words);
});
