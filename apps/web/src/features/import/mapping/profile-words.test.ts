import { expect, test } from 'vitest';
import { profileWords } from './profile-words.ts';

const profile = { rows: 200, filled: 1, numeric: 0, distinct: 0.31, amounts: null };

test.each([
  { given: profile, words: '100 % filled, 31 % different values in the first 200 rows' },
  {
    given: { ...profile, filled: 0.98, numeric: 1 },
    words: '98 % filled, 100 % numbers, 31 % different values in the first 200 rows',
  },
  { given: { ...profile, filled: 0, distinct: 0 }, words: 'Empty in the first 200 rows' },
  { given: { ...profile, rows: 0, filled: 0 }, words: 'No rows' },
])('$words', ({ given, words }) => {
  expect(profileWords(given)).toBe(words);
});
