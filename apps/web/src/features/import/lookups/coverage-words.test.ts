import { expect, it } from 'vitest';
import { brokenWords, coverageParts, shownCoverage } from './coverage-words.ts';

const countsOf = (...of: Parameters<typeof shownCoverage>) =>
  coverageParts(shownCoverage(...of)).map(({ count }) => count);

it('pictures that do not load do not count', () => {
  const image = { field: 'image', products: 53, filled: 52, found: 0 };
  const none = { loading: 0, broken: 52, unchecked: 0, none: 1 };
  expect(shownCoverage(image, none)).toEqual({ ...image, filled: 0, broken: 52 });
  expect(countsOf(image, none)).toEqual([0, 0, 52]);
  expect(countsOf(image, undefined)).toEqual([52, 0, 0]);
  // Of a million products, a thousand were looked at.
  const many = { field: 'image', products: 1_000_000, filled: 600_000, found: 200_000 };
  const some = { loading: 400, broken: 100, unchecked: 0, none: 500 };
  expect(countsOf(many, some)).toEqual([440_000, 200_000, 160_000]);
  expect(countsOf({ ...many, field: 'vendor' }, some)).toEqual([600_000, 200_000, 0]);
  expect(countsOf({ ...image, products: 0, filled: 0 }, none)).toEqual([0, 0, 0]);
});

it('broken pictures are said once, with the host of most', () => {
  const none = { loading: 0, broken: 52, unchecked: 0, none: 1 };
  expect(brokenWords(none, 'example.com')).toBe(
    'None of 52 checked pictures loads, most of them from example.com.',
  );
  expect(brokenWords({ ...none, broken: 1 }, 'example.com')).toBe('The only checked picture doesn’t load.');
  expect(brokenWords({ ...none, loading: 3, broken: 1 }, null)).toBe('1 of 4 checked pictures doesn’t load.');
  expect(brokenWords({ ...none, broken: 0 }, null)).toBeNull();
});
