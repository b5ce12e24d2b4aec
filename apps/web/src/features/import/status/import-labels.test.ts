import { expect, test } from 'vitest';
import { pushLabel, scopeWords } from './import-labels.ts';

test.each([
  [{ sent: 34, of: 40 }, '34 of 40', 'Push 34 of 40'],
  [{ sent: 53, of: 53 }, '53', 'Push 53 Products'],
  [{ sent: 1, of: 1 }, '1', 'Push 1 Product'],
  [{ sent: 0, of: 7 }, '0 of 7', 'Push 0 of 7'],
  [{ sent: 12_000, of: 12_000, changed: 530 }, '530 changed', 'Push 530 Changed'],
  [{ sent: 3, of: 20, changed: 4 }, '3 of 20', 'Push 3 of 20'],
  [{ sent: 20, of: 20, changed: 20 }, '20', 'Push 20 Products'],
  [{ sent: 998_500, of: 1_000_000 }, '998,500 of 1,000,000', 'Push 998,500 of 1,000,000'],
])('%o', (scope, words, label) => {
  expect(scopeWords(scope)).toBe(words);
  expect(pushLabel(scope)).toBe(label);
});

test('after a push the products are not known', () => expect(pushLabel(null)).toBe('Push'));
