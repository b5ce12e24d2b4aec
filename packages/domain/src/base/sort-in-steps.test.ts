import { expect, test } from 'vitest';
import { sortInSteps } from './sort-in-steps.ts';

test.each([0, 1, 499, 500, 501, 1_500, 7_777])(
  '%i items are sorted like toSorted, in short steps',
  (count) => {
    const items = Array.from({ length: count }, (_, at) => ({ key: (at * 7_919) % 101, at }));
    let compared = 0;
    const byKey = (one: { key: number }, other: { key: number }) => {
      compared += 1;
      return one.key - other.key;
    };
    const steps = sortInSteps(items, byKey);
    let most = 0;
    for (;;) {
      compared = 0;
      const { done, value } = steps.next();
      most = Math.max(most, compared);
      if (!done) continue;
      expect(value).toEqual(items.toSorted((one, other) => one.key - other.key));
      break;
    }
    // More than twice as many are those of the first, longest step.
    expect(most).toBeLessThan(10_000);
  },
);
