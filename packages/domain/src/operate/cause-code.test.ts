import { expect, test } from 'vitest';
import { toCauseCode } from './cause-code.ts';

test('messages that differ in ids, quotes and numbers have one cause', () => {
  const [one, other] = ['0f8fad5b-d9cb-469f-a165-70867728950e', '7c9e6679-7425-40de-944b-e07fc1f90ae7'];
  expect(toCauseCode(`Row 3 of ${one}: “Vase” costs 1,200.50`)).toBe('Row # of #: … costs #');
  expect(toCauseCode(`Row 14 of ${other}: “Bowl” costs 3`)).toBe('Row # of #: … costs #');
  expect(toCauseCode('Row lost')).not.toBe(toCauseCode('Row gone'));
});

test('a cause has at most 160 characters', () => {
  expect(toCauseCode('x'.repeat(500))).toHaveLength(160);
});
