import type { ReadingIssue } from '@draftshelf/csv/read-table';
import { decodeRecordIssues, toIssueSet } from '@draftshelf/domain/review/issue-set';
import { rowIssueCodes } from '@draftshelf/domain/review/issues';
import { expect, test } from 'vitest';

/** Every issue of the reader; a missing or unknown one is a type error. */
const ofReader: Record<ReadingIssue, true> = {
  'bad-quote': true,
  'unclosed-quote': true,
  'mixed-line-ends': true,
  'invalid-utf8': true,
  nul: true,
  'lone-cr': true,
  'extra-separator': true,
  'missing-separator': true,
  'too-few-cells': true,
  'too-many-cells': true,
};

test('the issues that editing values does not fix are those of the reader, and that no list has the product', () => {
  const codes = Object.keys(ofReader) as ReadingIssue[];
  expect(decodeRecordIssues(toIssueSet(rowIssueCodes))).toEqual([...codes, 'unknown-product']);
});
