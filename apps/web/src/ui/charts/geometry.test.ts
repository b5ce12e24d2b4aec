import { expect, test } from 'vitest';
import {
  buildLinePath,
  chooseItemByKey,
  chooseLabelledBars,
  computeStack,
  computeStackHeights,
  findItemAt,
  findLargest,
} from './chart-table.tsx';

const million = 1_000_000;

test.each([
  { values: [], whole: 0, lengths: [] },
  { values: [0], whole: 0, lengths: [0] },
  { values: [1], whole: 1, lengths: [100] },
  { values: [0, 0], whole: 10, lengths: [0, 0] },
  { values: [1, 1], whole: 4, lengths: [25, 25] },
  { values: [million, 0, million], whole: 0, lengths: [50, 0, 50] },
  // More parts than the whole: they fill it.
  { values: [3, 1], whole: 2, lengths: [75, 25] },
])('a stack of $values in $whole', ({ values, whole, lengths }) => {
  expect(computeStack(values, whole).map(({ length }) => length)).toEqual(lengths);
});

test('one of a million is seen, and the parts stay within the whole', () => {
  const parts = computeStack([million - 2, 1, 1], million, 1);
  expect(parts.map(({ length }) => Math.round(length * 100) / 100)).toEqual([98, 1, 1]);
  expect(parts.map(({ from }) => Math.round(from))).toEqual([0, 98, 99]);
  // With room left, nothing gives way.
  expect(computeStack([1, 50], 100, 2).map(({ length }) => length)).toEqual([2, 50]);
  const many = computeStack(new Array(200).fill(1), 200, 2);
  expect((many.at(-1)?.from ?? 0) + (many.at(-1)?.length ?? 0)).toBeCloseTo(100);
});

test.each([
  { values: [], largest: 0, heights: [] },
  { values: [0, 1], largest: 1, heights: [0, 100] },
  { values: [1, million], largest: million, heights: [2, 100] },
])('heights of $values', ({ values, largest, heights }) => {
  expect(computeStackHeights(values, largest, 100)).toEqual(heights);
});

test.each([
  { totals: [], labelled: [] },
  { totals: [0, 0], labelled: [] },
  { totals: [5], labelled: [0] },
  { totals: [9, 0, 0, 4], labelled: [0, 3] },
  { totals: [9, 0, 0, 0], labelled: [0] },
  // They would lie on each other.
  { totals: [0, 0, 9, 4], labelled: [2] },
  { totals: [0, 4, 0, 9], labelled: [3] },
])('values stand above $labelled of $totals', ({ totals, labelled }) => {
  expect(chooseLabelledBars(totals, 3)).toEqual(labelled);
});

test.each([
  { values: [], path: '' },
  { values: [5], path: 'M0 50L0 50' },
  { values: [0, 10], path: 'M0 100L100 0' },
  { values: [10, null, 5, 5], path: 'M0 0L0 0M66.67 50L100 50' },
  { values: [null, null], path: '' },
  // Above the scale it runs along its top.
  { values: [million, million], path: 'M0 0L100 0' },
])('the line through $values', ({ values, path }) => {
  expect(buildLinePath(values, 10)).toBe(path);
});

test('a line without a scale lies at the bottom', () => {
  expect(buildLinePath([0, 0], 0)).toBe('M0 100L100 100');
});

test('a million values become as many as are drawn', () => {
  const values = Array.from({ length: million }, (_, at) => (at < million / 2 ? 2 : null));
  expect(findLargest(values.map((value) => value ?? 0))).toBe(2);
});

test('a place chooses the item below it', () => {
  expect([0, 0.49, 0.5, 1, -0.2, 1.4].map((place) => findItemAt(place, 2))).toEqual([0, 0, 1, 1, 0, 1]);
  expect(findItemAt(0.5, 0)).toBeNull();
});

test.each([
  { key: 'ArrowRight', current: null, chosen: 4 },
  { key: 'ArrowLeft', current: null, chosen: 4 },
  { key: 'ArrowLeft', current: 4, chosen: 3 },
  { key: 'ArrowLeft', current: 0, chosen: 0 },
  { key: 'ArrowUp', current: 4, chosen: 4 },
  { key: 'Home', current: 3, chosen: 0 },
  { key: 'End', current: null, chosen: 4 },
  { key: 'a', current: 3, chosen: null },
])('$key from $current chooses $chosen', ({ key, current, chosen }) => {
  expect(chooseItemByKey(key, current, 5)).toBe(chosen);
  expect(chooseItemByKey(key, current, 0)).toBeNull();
});
