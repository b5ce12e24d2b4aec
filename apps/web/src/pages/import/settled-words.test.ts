import { expect, test } from 'vitest';
import { settledWords } from './settled-words.ts';

test.each([
  ['looking-up', 'Look-ups have ended.'],
  ['other-currency', 'Nothing to know any more.'],
])('after %s there is left: %s', (lastKind, words) => {
  expect(settledWords(lastKind)).toBe(words);
});
