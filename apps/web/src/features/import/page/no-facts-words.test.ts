import { expect, test } from 'vitest';
import { noFactsWords } from './no-facts-words.ts';

test.each([
  ['looking-up', 'Look-ups have ended.'],
  ['other-currency', 'Nothing to know any more.'],
])('after %s there is left: %s', (lastKind, words) => {
  expect(noFactsWords(lastKind)).toBe(words);
});
