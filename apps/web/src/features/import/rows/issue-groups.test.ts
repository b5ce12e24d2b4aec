import { issueCodes } from '@draftshelf/domain/review/issues';
import { expect, test } from 'vitest';
import { groupsOf, isInfo, singleIssues } from './issue-groups.ts';

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
