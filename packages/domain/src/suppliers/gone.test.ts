import { describe, expect, test } from 'vitest';
import { goneUntil } from './gone.ts';

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
