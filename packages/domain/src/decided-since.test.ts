import { expect, test } from 'vitest';
import { hasDecidedSince, isDecidedSince } from './decided-since.ts';
import type { CountedDecision } from './plan-decisions.ts';

test('a line whose choice the plan has not counted', () => {
  const asked = { outcome: 'skipped', code: 'drifted', about: 'drifted', choice: null } as const;
  expect(isDecidedSince(asked)).toBe(false);
  expect(isDecidedSince({ ...asked, choice: 'use-ours' })).toBe(true);
  expect(isDecidedSince({ ...asked, choice: 'skip' })).toBe(false);
  expect(isDecidedSince({ ...asked, code: 'choice-outdated', choice: 'use-ours' })).toBe(true);
  const counted = { ...asked, outcome: 'updated', code: null, choice: 'use-ours' } as const;
  expect(isDecidedSince(counted)).toBe(false);
  expect(isDecidedSince({ ...counted, choice: null })).toBe(true);
  expect(isDecidedSince({ ...counted, about: null, choice: null })).toBe(false);
});

test('a plan is counted without the decisions that were made since', () => {
  const plan = (open: number, decided: { useOurs?: number; skip?: number }) => ({
    sums: [
      { outcome: 'updated', code: null, products: 2 },
      { outcome: 'skipped', code: 'left-out', products: 1 },
      { outcome: 'skipped', code: 'drifted', products: 4 },
      { outcome: 'skipped', code: 'choice-outdated', products: 1 },
    ],
    decisions: [
      {
        ...{ about: 'drifted', open },
        choices: [
          { choice: 'use-ours', allowed: open, decided: decided.useOurs ?? 0 },
          { choice: 'skip', allowed: open, decided: decided.skip ?? 0 },
        ],
      },
    ] satisfies CountedDecision[],
  });
  expect(hasDecidedSince(plan(5, { useOurs: 2 }))).toBe(false);
  expect(hasDecidedSince(plan(4, { skip: 1 }))).toBe(false);
  expect(hasDecidedSince(plan(0, { useOurs: 7 }))).toBe(true);
  expect(hasDecidedSince(plan(7, {}))).toBe(true);
});
