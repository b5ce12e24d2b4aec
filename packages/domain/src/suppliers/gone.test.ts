import { describe, expect, test } from 'vitest';
import { findCutOff } from './compare-lists.ts';
import { areMissingItemsCounted, goneUntil } from './gone.ts';

const list = (number: number, isComplete: boolean | null = true, isWhole?: boolean) => ({
  ...{ number, isComplete, isWhole },
});
const complete = { sendsComplete: true, goneAfter: 2 };

describe('goneUntil', () => {
  test.each([
    ['two complete lists in a row', [list(3), list(2), list(1)], complete, 2],
    ['one list only', [list(2)], complete, null],
    [
      'nobody has said that its lists are complete',
      [list(2), list(1)],
      { ...complete, sendsComplete: null },
      null,
    ],
    ['its lists are parts', [list(2), list(1)], { ...complete, sendsComplete: false }, null],
    [
      'its lists are parts, but not these',
      [list(2, true, true), list(1, true, true)],
      { ...complete, sendsComplete: false },
      1,
    ],
    ['the last list is a part', [list(3, false), list(2), list(1)], complete, null],
    [
      'the list before was a part, so counting begins again',
      [list(4), list(3, false), list(2), list(1)],
      complete,
      null,
    ],
    [
      'this list is said to be a part after it counted',
      [list(3, true, false), list(2), list(1)],
      complete,
      null,
    ],
    ['three are needed', [list(3), list(2), list(1)], { ...complete, goneAfter: 3 }, 1],
    ['one is enough', [list(3), list(2)], { ...complete, goneAfter: 1 }, 3],
    ['an older list counted last', [list(2), list(3), list(1)], complete, null],
    ['an earlier version counted the list before', [list(3), list(2, null)], complete, null],
  ])('%s', (_case, counted, answers, expected) => {
    expect(goneUntil(counted, answers)).toBe(expected);
  });
});

test.each([
  ['nothing is known about the supplier', null, {}, false, true],
  ['its lists are complete', true, {}, false, true],
  ['its lists are parts', false, {}, false, false],
  ['its lists are parts, but not this one', false, { isWhole: true }, false, true],
  ['this one is a part', true, { isWhole: false }, false, false],
  ['it seems cut off', true, {}, true, false],
  ['it seems cut off and is complete', true, { isWhole: true }, true, true],
])('what a list lacks is missing: %s', (_case, sendsComplete, answers, isCutOff, expected) => {
  const findings = isCutOff ? { cutOff: { missing: 5, of: 10, shortRow: null } } : {};
  expect(areMissingItemsCounted({ findings, answers }, sendsComplete)).toBe(expected);
});

test.each([
  ['nothing is missing', [0, 100], [90, 100, 100], false, false],
  ['more than 20 %', [21, 100], [0, 79, null], false, true],
  ['20 %', [20, 100], [0, 80, null], false, false],
  ['more than 50 that are more than 2 %', [51, 2_000], [0, 1_949, null], false, true],
  ['more than 50 that are 2 %', [60, 3_000], [0, 2_940, null], false, false],
  ['few, and the last row is short', [1, 100], [1, 99, 99], false, true],
  ['few, and more than 5 % of the rows are torn', [1, 100], [5, 99, null], false, true],
  ['few, and 5 % of the rows are torn', [1, 101], [5, 100, null], false, false],
  ['much of a supplier whose lists are parts', [50, 100], [0, 50, null], true, false],
  ['much of a part, and the last row is short', [50, 100], [1, 50, 50], true, true],
] as const)(
  'a list seems cut off: %s',
  (_case, [missing, items], [torn, rows, shortRow], isPart, expected) => {
    const found = findCutOff({ missing, items }, { torn, rows, shortRow }, isPart);
    expect(found).toEqual(expected ? { missing, of: items, shortRow } : undefined);
  },
);
