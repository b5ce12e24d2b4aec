import { issueCodes } from '@draftshelf/domain/review/issues';
import { expect, test } from 'vitest';
import {
  countRowsToCheck,
  findNextIssue,
  groupIssues,
  isInfoFilter,
  issueCodesInOrder,
  sortByCount,
} from './issue-groups.ts';

test('issues are grouped by consequence, the most serious first', () => {
  const names = ['bad-quote', 'duplicate', 'tag-too-long', 'price-missing'] as const;
  expect(groupIssues(names)).toEqual([
    { consequence: 'refused', names: ['tag-too-long', 'price-missing'] },
    { consequence: 'check', names: ['duplicate'] },
    { consequence: 'info', names: ['bad-quote'] },
  ]);
  expect(groupIssues(['duplicate'])).toEqual([{ consequence: 'check', names: ['duplicate'] }]);
  expect(groupIssues(issueCodesInOrder).flatMap((group) => group.names)).toHaveLength(issueCodes.length);
});

test('a filter by several issues is not info', () => {
  expect([
    isInfoFilter('bad-quote'),
    isInfoFilter('duplicate'),
    isInfoFilter('any'),
    isInfoFilter('check'),
    isInfoFilter(undefined),
  ]).toEqual([true, false, false, false, false]);
});

test('rows count as issues by their heads, not those that only say how they were read', () => {
  expect(countRowsToCheck({ any: 211, refused: 1, check: 2, 'bad-quote': 210 })).toBe(3);
  expect(countRowsToCheck({ any: 210, 'bad-quote': 210 })).toBe(0);
});

test('names with most rows come first, and those without rows are left out', () => {
  const names = ['one', 'many', 'none', 'as many'] as const;
  expect(sortByCount(names, { one: 1, many: 1_000_000, none: 0, 'as many': 1_000_000 })).toEqual([
    'many',
    'as many',
    'one',
  ]);
  expect(sortByCount(names, {})).toEqual([]);
});

const counts = { any: 9, check: 3, 'title-missing': 2, 'sku-too-long': 1, duplicate: 3, 'bad-quote': 4 };

test('kinds come most serious first and round again, without how rows were read', () => {
  expect(findNextIssue(counts, undefined, 'next')).toBe('title-missing');
  expect(findNextIssue(counts, 'title-missing', 'next')).toBe('sku-too-long');
  expect(findNextIssue(counts, 'sku-too-long', 'next')).toBe('duplicate');
  expect(findNextIssue(counts, 'duplicate', 'next')).toBe('title-missing');
  expect(findNextIssue(counts, undefined, 'previous')).toBe('duplicate');
  expect(findNextIssue(counts, 'title-missing', 'previous')).toBe('duplicate');
});

test('a kind without rows is passed, and so is the one that was shown', () => {
  // Its last row has just been fixed.
  expect(findNextIssue({ ...counts, 'sku-too-long': 0 }, 'sku-too-long', 'next')).toBe('duplicate');
  expect(findNextIssue(counts, 'bad-quote', 'next')).toBe('title-missing');
  expect(findNextIssue({ duplicate: 1 }, 'duplicate', 'next')).toBe('duplicate');
  expect(findNextIssue({}, 'duplicate', 'next')).toBeNull();
});

test('how rows were read comes when nothing else is left', () => {
  const read = { 'bad-quote': 4, nul: 0, 'price-repeated': 1 };
  expect(findNextIssue(read, 'nul', 'next')).toBe('price-repeated');
  expect(findNextIssue(read, 'price-repeated', 'next')).toBe('bad-quote');
  expect(findNextIssue(read, 'bad-quote', 'next')).toBe('price-repeated');
});
