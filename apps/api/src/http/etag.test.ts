import { expect, test } from 'vitest';
import { matchesEtag } from './etag.ts';

test.each([
  [undefined, false],
  ['', false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['*', true],
  ['a', false],
  ['"ab"', false],
])('If-None-Match %s', (header, matches) => {
  expect(matchesEtag(header, '"a"')).toBe(matches);
});
