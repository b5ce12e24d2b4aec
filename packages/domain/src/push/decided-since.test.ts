import { expect, test } from 'vitest';
import { isDecidedSince } from './decided-since.ts';

test.each([
  ['nothing was decided', null, null, false],
  ['it is skipped as without a choice', null, 'skip', false],
  ['it was decided', null, 'use-ours', true],
  ['its choice stayed', 'use-ours', 'use-ours', false],
  ['its choice was taken back', 'use-ours', null, true],
  ['another choice was made', 'use-ours', 'keep-store', true],
  ['it is skipped instead', 'use-ours', 'skip', true],
  ['the choice to skip it was taken back', 'skip', null, false],
] as const)('a line whose plan does not count a choice: %s', (_, plannedChoice, choice, isSince) => {
  expect(isDecidedSince({ about: 'drifted', plannedChoice, choice })).toBe(isSince);
});

test('a line about which nothing is to be decided', () => {
  expect(isDecidedSince({ about: null, plannedChoice: null, choice: null })).toBe(false);
});
