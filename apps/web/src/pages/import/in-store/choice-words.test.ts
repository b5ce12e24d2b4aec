import { expect, test } from 'vitest';
import { choiceEffect, forAllWords } from './choice-words.ts';

test('a choice for all names how many products allow it', () => {
  const words = (allowed: number, open: number) =>
    forAllWords('blocked', { choice: 'send-without', allowed, open });
  expect(words(1, 1)).toBe('Send the Rest');
  expect(words(12, 12)).toBe('Send the Rest for All 12');
  expect(words(5, 1200)).toBe('Send the Rest for 5 of 1,200');
});

test('a choice says what the push does, in the words of its question', () => {
  expect(choiceEffect('drifted', 'skip')).toBe('The push leaves the product as it is.');
  expect(choiceEffect('deleted-in-store', 'skip')).toBe('The push leaves the product out.');
});
