import { expect, test } from 'vitest';
import { findAccessKeyProblem } from './access-key.ts';

test.each([
  ['', '127.0.0.1', null],
  ['a', 'localhost', null],
  ['a', '::1', null],
  [undefined, '0.0.0.0', null],
  ['', '0.0.0.0', /empty/],
  ['eleven char', '0.0.0.0', /fewer than 12 characters/],
  ['eleven char', '192.0.2.7', /set a longer key/],
  [' '.repeat(12), '0.0.0.0', /fewer than 12 characters/],
  ['eleven char ', '0.0.0.0', /fewer than 12 characters/],
  ['twelve chars', '0.0.0.0', null],
])('the key %j on %s', (key, host, problem) => {
  const found = findAccessKeyProblem({ ACCESS_KEY: key, HOST: host });
  if (problem === null) expect(found).toBeNull();
  else expect(found).toMatch(problem);
});
