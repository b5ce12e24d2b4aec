import { expect, test } from 'vitest';
import { budgetWords, refillWords } from './budget-words.ts';

const budget = { points: 1950.7, maximum: 2000, restoreRate: 100, productPoints: 14 };

test('the points that are left, and what they refill by', () => {
  expect(budgetWords(budget)).toBe('1,950 of 2,000 points left');
  expect(budgetWords({ ...budget, points: 0, maximum: 1_000_000 })).toBe('0 of 1,000,000 points left');
  expect(refillWords(budget)).toBe('About 7.1 products a second.');
  expect(refillWords({ ...budget, restoreRate: 14 })).toBe('About 1 product a second.');
  expect(refillWords({ ...budget, restoreRate: 1000 })).toBe('About 71 products a second.');
});
