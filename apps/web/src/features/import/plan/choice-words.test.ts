import { expect, test } from 'vitest';
import { choiceEffect, forAllWords, isOneQuestion } from './choice-words.ts';

test('a choice for all names how many products allow it', () => {
  const words = (allowed: number, open: number) =>
    forAllWords('blocked', { choice: 'send-without', allowed, open });
  expect(words(1, 1)).toBe('Send the Rest');
  expect(words(12, 12)).toBe('Send the Rest for All 12');
  expect(words(5, 1200)).toBe('Send the Rest for 5 of 1,200');
});

test('a choice says what the push does, in the words of its question', () => {
  expect(choiceEffect('blocked', 'skip')).toBe('The push leaves the product as it is.');
  expect(choiceEffect('drifted', 'skip')).toBe(
    'The push sends nothing of the product, not even our other changes.',
  );
  expect(choiceEffect('deleted-in-store', 'skip')).toBe('The push leaves the product out.');
});

test('the choices stand once where a list asks about one product only', () => {
  const about = (open: number, decided: number) => ({
    ...{ about: 'drifted' as const, open },
    choices: [{ choice: 'skip' as const, allowed: open, decided }],
  });
  expect(isOneQuestion([about(1, 0)])).toBe(true);
  // The product may be on a later page.
  expect(isOneQuestion([about(1, 40)])).toBe(false);
  expect(isOneQuestion([about(1, 0), about(1, 0)])).toBe(false);
  expect(isOneQuestion([about(2, 0)])).toBe(false);
});
