import { issueCodes } from '@draftshelf/domain/review/issues';
import { expect, test } from 'vitest';
import { groupsOf, isInfo, issueRows, nextKind, singleIssues, sortByCount } from './issue-groups.ts';

test('issues are grouped by consequence, the most serious first', () => {
  const names = ['bad-quote', 'duplicate', 'tag-too-long', 'price-missing'] as const;
  expect(groupsOf(names)).toEqual([
    { consequence: 'refused', names: ['tag-too-long', 'price-missing'] },
    { consequence: 'check', names: ['duplicate'] },
    { consequence: 'info', names: ['bad-quote'] },
  ]);
  expect(groupsOf(['duplicate'])).toEqual([{ consequence: 'check', names: ['duplicate'] }]);
  expect(groupsOf(singleIssues).flatMap((group) => group.names)).toHaveLength(issueCodes.length);
});

test('a filter by several issues is not info', () => {
  expect([
    isInfo('bad-quote'),
    isInfo('duplicate'),
    isInfo('any'),
    isInfo('check'),
    isInfo(undefined),
  ]).toEqual([true, false, false, false, false]);
});

test('rows count as issues by their heads, not those that only say how they were read', () => {
  expect(issueRows({ any: 211, refused: 1, check: 2, 'bad-quote': 210 })).toBe(3);
  expect(issueRows({ any: 210, 'bad-quote': 210 })).toBe(0);
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
  expect(nextKind(counts, undefined, 'next')).toBe('title-missing');
  expect(nextKind(counts, 'title-missing', 'next')).toBe('sku-too-long');
  expect(nextKind(counts, 'sku-too-long', 'next')).toBe('duplicate');
  expect(nextKind(counts, 'duplicate', 'next')).toBe('title-missing');
  expect(nextKind(counts, undefined, 'previous')).toBe('duplicate');
  expect(nextKind(counts, 'title-missing', 'previous')).toBe('duplicate');
});

test('a kind without rows is passed, and so is the one that was shown', () => {
  // Its last row has just been fixed.
  expect(nextKind({ ...counts, 'sku-too-long': 0 }, 'sku-too-long', 'next')).toBe('duplicate');
  expect(nextKind(counts, 'bad-quote', 'next')).toBe('title-missing');
  expect(nextKind({ duplicate: 1 }, 'duplicate', 'next')).toBe('duplicate');
  expect(nextKind({}, 'duplicate', 'next')).toBeNull();
});

test('how rows were read comes when nothing else is left', () => {
  const read = { 'bad-quote': 4, nul: 0, 'price-repeated': 1 };
  expect(nextKind(read, 'nul', 'next')).toBe('price-repeated');
  expect(nextKind(read, 'price-repeated', 'next')).toBe('bad-quote');
  expect(nextKind(read, 'bad-quote', 'next')).toBe('price-repeated');
});
