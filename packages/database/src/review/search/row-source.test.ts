import { expect, test } from 'vitest';
import { type Cursor, type RowSource, unionOf, without } from './row-source.ts';

/** A source of some rows that scans at most `window` row numbers a step. */
function sourceOf(rows: readonly number[], window: number): RowSource {
  const last = 100;
  return {
    count: async () => rows.length,
    async scan({ from, back }, limit) {
      const end = back ? Math.max(0, from - window) : Math.min(last, from + window);
      const isWithin = (row: number) => (back ? row < from && row >= end : row > from && row <= end);
      const found = rows.filter(isWithin).sort((a, b) => (back ? b - a : a - b));
      if (found.length > limit) {
        const taken = found.slice(0, limit);
        return { rows: taken, scannedTo: taken.at(-1) ?? from, ended: false };
      }
      return { rows: found, scannedTo: end, ended: back ? end === 0 : end === last };
    },
    intersect: async (numbers) => new Set(numbers.filter((row) => rows.includes(row))),
  };
}

async function scanAll(source: RowSource, cursor: Cursor, limit: number): Promise<number[]> {
  const found: number[] = [];
  let { from } = cursor;
  for (let ended = false; !ended; ) {
    const step = await source.scan({ ...cursor, from }, limit);
    expect(step.rows.length).toBeLessThanOrEqual(limit);
    found.push(...step.rows);
    ({ scannedTo: from, ended } = step);
  }
  return found;
}

const some = [1, 2, 3, 30, 31, 60, 99];
const others = [2, 31, 32, 33, 34, 60, 100];
const both = [1, 2, 3, 30, 31, 32, 33, 34, 60, 99, 100];

test.each([
  [7, 100],
  [100, 7],
  [5, 11],
  [100, 100],
])(
  'a union returns the rows of both in order, each once, whatever their steps: %i and %i',
  async (one, other) => {
    const union = unionOf(both.length, sourceOf(some, one), sourceOf(others, other));
    for (const limit of [1, 2, 5, 50]) {
      expect(await scanAll(union, { from: 0, back: false }, limit)).toEqual(both);
      expect(await scanAll(union, { from: 101, back: true }, limit)).toEqual(both.toReversed());
      expect(await scanAll(union, { from: 31, back: false }, limit)).toEqual(both.slice(5));
    }
  },
);

test('a row is in a union if it is in one of the sources', async () => {
  const union = unionOf(both.length, sourceOf(some, 9), sourceOf(others, 9));
  expect(await union.intersect([2, 4, 33, 99])).toEqual(new Set([2, 33, 99]));
});

test.each([7, 100])('a source is without the rows of another one, whatever its steps: %i', async (window) => {
  const rest = without(sourceOf(some, window), sourceOf(others, 100));
  for (const limit of [1, 2, 5, 50]) {
    expect(await scanAll(rest, { from: 0, back: false }, limit)).toEqual([1, 3, 30, 99]);
    expect(await scanAll(rest, { from: 101, back: true }, limit)).toEqual([99, 30, 3, 1]);
  }
  expect(await rest.intersect([2, 3, 4, 60])).toEqual(new Set([3]));
});

test('a source without many rows of another one is scanned in a few steps for a single row', async () => {
  const rows = Array.from({ length: 90 }, (_, at) => at + 1);
  let steps = 0;
  const leftOut: RowSource = {
    ...sourceOf(rows.slice(1), 100),
    async intersect(numbers) {
      steps += 1;
      return new Set(numbers.filter((row) => row > 1));
    },
  };
  const rest = without(sourceOf(rows, 100), leftOut);
  expect(await scanAll(rest, { from: 1, back: false }, 1)).toEqual([]);
  expect(steps).toBe(1);
});
