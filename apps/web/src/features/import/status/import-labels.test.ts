import { expect, test } from 'vitest';
import { pushLabel, scopeWords } from './import-labels.ts';

test.each([
  [{ sent: 34, of: 40 }, '34 of 40', 'Push 34 of 40'],
  [{ sent: 53, of: 53 }, '53', 'Push 53 Products'],
  [{ sent: 1, of: 1 }, '1', 'Push 1 Product'],
  [{ sent: 0, of: 7 }, '0 of 7', 'Push 0 of 7'],
  [{ sent: 998_500, of: 1_000_000 }, '998,500 of 1,000,000', 'Push 998,500 of 1,000,000'],
])('%o', (scope, words, label) => {
  expect(scopeWords(scope)).toBe(words);
  expect(pushLabel(scope)).toBe(label);
});

test('after a push the products are not known', () => expect(pushLabel(null)).toBe('Push'));
