import { expect, test } from 'vitest';
import { partlyWords } from './choice-words.ts';

test('a decision about all says how many products don’t allow it', () => {
  expect(partlyWords(12, 12)).toBeNull();
  expect(partlyWords(5, 12)).toBe('Decided for 5 of 12. The other 7 don’t allow this choice.');
  expect(partlyWords(11, 12)).toBe('Decided for 11 of 12. The other one doesn’t allow this choice.');
  expect(partlyWords(0, 12)).toBe('None of the 12 allow this choice.');
  expect(partlyWords(0, 1)).toBe('This product doesn’t allow this choice.');
});
