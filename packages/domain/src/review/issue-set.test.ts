import { describe, expect, test } from 'vitest';
import {
  decodeRecordIssues,
  isLeftOut,
  issueCodesMax,
  issuesIn,
  leftOutBit,
  toIssueSet,
} from './issue-set.ts';
import { issueCodes, rowIssueCodes } from './issues.ts';

describe('a set of issues', () => {
  test('has the codes that were put in, in the order of the catalog', () => {
    expect(toIssueSet([])).toBe(0);
    expect(issuesIn(0)).toEqual([]);
    expect(issuesIn(toIssueSet(['upc-check-digit', 'bad-quote', 'price-missing']))).toEqual([
      'bad-quote',
      'price-missing',
      'upc-check-digit',
    ]);
    expect(issuesIn(toIssueSet(rowIssueCodes))).toEqual(rowIssueCodes);
    for (const code of rowIssueCodes) expect(issuesIn(toIssueSet([code]))).toEqual([code]);
  });

  test('has a code once', () => {
    expect(toIssueSet(['nul', 'title-missing', 'nul'])).toBe(toIssueSet(['title-missing', 'nul']));
  });

  test('has a code as the bit of its position', () => {
    expect(toIssueSet(['bad-quote'])).toBe(1);
    expect(toIssueSet(['unclosed-quote', 'upc-check-digit'])).toBe(2 + 2 ** 14);
  });

  test('is an exact number with as many codes as there may be', () => {
    expect(issueCodes.length).toBeLessThanOrEqual(issueCodesMax);
    expect(leftOutBit + 2 ** issueCodesMax - 1).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('keeps apart whether the row is left out of the push', () => {
    const set = toIssueSet(rowIssueCodes);
    expect([isLeftOut(set), isLeftOut(set + leftOutBit), isLeftOut(leftOutBit)]).toEqual([false, true, true]);
    expect(issuesIn(set + leftOutBit)).toEqual(rowIssueCodes);
  });

  test('keeps bits beyond those of the catalog apart', () => {
    expect(issuesIn(2 ** 52 + 1)).toEqual(['bad-quote']);
  });

  test('says which issues belong to the record', () => {
    const set = toIssueSet(['extra-separator', 'title-missing', 'nul', 'upc-check-digit']);
    expect(decodeRecordIssues(set)).toEqual(['nul', 'extra-separator']);
  });
});
