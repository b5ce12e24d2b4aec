import { expect, test } from 'vitest';
import { causeCode } from './cause-code.ts';

const withCode = (message: string, code: unknown) => Object.assign(new TypeError(message), { code });

test('errors with a code have one cause, whatever they say', () => {
  expect(causeCode(withCode('No space left in 12 places', '53100'))).toBe('TypeError 53100');
  expect(causeCode(withCode('No space left', '53100'))).toBe('TypeError 53100');
});

test('others have the cause that their message has without ids, quotes and numbers', () => {
  const [one, other] = ['0f8fad5b-d9cb-469f-a165-70867728950e', '7c9e6679-7425-40de-944b-e07fc1f90ae7'];
  expect(causeCode(new Error(`Row 3 of ${one}: “Vase” costs 1,200.50`))).toBe('Row # of #: … costs #');
  expect(causeCode(new Error(`Row 14 of ${other}: “Bowl” costs 3`))).toBe('Row # of #: … costs #');
  expect(causeCode(withCode('Lost', 17))).toBe('Lost');
});

test('a cause has at most 160 characters, also of what is no error', () => {
  expect(causeCode('x'.repeat(500))).toHaveLength(160);
  expect(causeCode(undefined)).toBe('undefined');
});
