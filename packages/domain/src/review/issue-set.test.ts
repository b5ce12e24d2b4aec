import { describe, expect, test } from 'vitest';
import { isLeftOut, issueCodesMax, issueSet, issuesIn, leftOutBit, recordIssues } from './issue-set.ts';
import { issueCodes, rowIssueCodes } from './issues.ts';

describe('a set of issues', () => {
  test('has the codes that were put in, in the order of the catalog', () => {
    expect(issueSet([])).toBe(0);
    expect(issuesIn(0)).toEqual([]);
    expect(issuesIn(issueSet(['upc-check-digit', 'bad-quote', 'price-missing']))).toEqual([
      'bad-quote',
      'price-missing',
      'upc-check-digit',
    ]);
    expect(issuesIn(issueSet(rowIssueCodes))).toEqual(rowIssueCodes);
    for (const code of rowIssueCodes) expect(issuesIn(issueSet([code]))).toEqual([code]);
  });

  test('has a code once', () => {
    expect(issueSet(['nul', 'title-missing', 'nul'])).toBe(issueSet(['title-missing', 'nul']));
  });

  test('has a code as the bit of its position', () => {
    expect(issueSet(['bad-quote'])).toBe(1);
    expect(issueSet(['unclosed-quote', 'upc-check-digit'])).toBe(2 + 2 ** 14);
  });

  test('is an exact number with as many codes as there may be', () => {
    expect(issueCodes.length).toBeLessThanOrEqual(issueCodesMax);
    expect(leftOutBit + 2 ** issueCodesMax - 1).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('keeps apart whether the row is left out of the push', () => {
    const set = issueSet(rowIssueCodes);
    expect([isLeftOut(set), isLeftOut(set + leftOutBit), isLeftOut(leftOutBit)]).toEqual([false, true, true]);
    expect(issuesIn(set + leftOutBit)).toEqual(rowIssueCodes);
  });

  test('keeps bits beyond those of the catalog apart', () => {
    expect(issuesIn(2 ** 52 + 1)).toEqual(['bad-quote']);
  });

  test('says which issues belong to the record', () => {
    const set = issueSet(['extra-separator', 'title-missing', 'nul', 'upc-check-digit']);
    expect(recordIssues(set)).toEqual(['nul', 'extra-separator']);
  });
});
