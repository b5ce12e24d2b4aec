import { expect, it } from 'vitest';
import { seededRandom } from '../../testing/random.ts';
import { type AssignmentPair, bestAssignment } from './assign-fields.ts';

const worthOf = (pairs: readonly AssignmentPair[], assigned: ReadonlyMap<number, number>): number =>
  [...assigned].reduce(
    (sum, [row, column]) =>
      sum + (pairs.find((pair) => pair.row === row && pair.column === column)?.worth ?? Number.NaN),
    0,
  );

/** Tries every assignment. */
function bestWorth(pairs: readonly AssignmentPair[], row: number, taken: ReadonlySet<number>): number {
  if (row < 0) return 0;
  const without = bestWorth(pairs, row - 1, taken);
  const withOne = pairs
    .filter((pair) => pair.row === row && !taken.has(pair.column))
    .map((pair) => pair.worth + bestWorth(pairs, row - 1, new Set([...taken, pair.column])));
  return Math.max(without, ...withOne);
}

it('gives a column to the row that gains most in total, not to the first one', () => {
  const pairs = [
    { row: 0, column: 0, worth: 10 },
    { row: 0, column: 1, worth: 9 },
    { row: 1, column: 0, worth: 8 },
  ];
  expect([...bestAssignment(pairs)]).toEqual([
    [0, 1],
    [1, 0],
  ]);
});

it('leaves a row without a column when another one gains more', () => {
  const pairs = [
    { row: 0, column: 0, worth: 4 },
    { row: 1, column: 0, worth: 6 },
  ];
  expect([...bestAssignment(pairs)]).toEqual([[1, 0]]);
});

it('is as good as the best of all assignments', () => {
  const below = seededRandom(1);
  for (let round = 0; round < 500; round += 1) {
    const pairs: AssignmentPair[] = [];
    for (let row = 0; row < 5; row += 1) {
      for (let column = 0; column < 5; column += 1) {
        if (below(2) === 0) pairs.push({ row, column, worth: 1 + below(20) });
      }
    }
    const assigned = bestAssignment(pairs);
    expect(new Set(assigned.values()).size).toBe(assigned.size);
    expect(worthOf(pairs, assigned)).toBe(bestWorth(pairs, 4, new Set()));
  }
});
