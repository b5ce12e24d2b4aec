import { type IssueCode, issueCodes, issueField, ofCells, type RowIssue, rowIssueCodes } from './issues.ts';

/**
 * The issues of a row as one number, in which each code has the bit of its position in the catalog. Up to 53 bits, a
 * Postgres bigint is an exact JavaScript number, but bitwise operators see only 32 bits.
 */
export type IssueSet = number;

export const issueCodesMax = 52;

/** The bit of left-out rows. It is no issue, but stored with issues so that rows can be counted and filtered by it. */
export const leftOutBit = 2 ** issueCodesMax;

export const isLeftOut = (set: IssueSet): boolean => set >= leftOutBit;

const bits = Object.fromEntries(issueCodes.map((code, at) => [code, 2 ** at])) as Record<IssueCode, IssueSet>;

export const hasIssue = (set: IssueSet, code: IssueCode): boolean => Math.floor(set / bits[code]) % 2 === 1;

/** The bit of rows whose SKU or UPC an earlier product has, too. Not a RowIssue, because its text names that row. */
export const duplicateBit: IssueSet = bits.duplicate;

export const isDuplicate = (set: IssueSet): boolean => hasIssue(set, 'duplicate');

export const withDuplicate = (set: IssueSet, duplicate: boolean): IssueSet =>
  set + (Number(duplicate) - Number(isDuplicate(set))) * duplicateBit;

/** Returns the set of some codes. A code may occur more than once. */
export function toIssueSet(codes: Iterable<IssueCode>): IssueSet {
  let set = 0;
  for (const code of codes) if (!hasIssue(set, code)) set += bits[code];
  return set;
}

/** Returns the bit of a code, for SQL. */
export const issueBit = (code: RowIssue): IssueSet => bits[code];

export const issuesIn = (set: IssueSet): RowIssue[] =>
  set === 0 ? [] : rowIssueCodes.filter((code) => hasIssue(set, code));

/** Returns the issues of a row's CSV record as a whole, which edits of values do not fix. */
export const decodeRecordIssues = (set: IssueSet): RowIssue[] =>
  issuesIn(set).filter((code) => issueField(code) === null && !isOfCells(code));

const isOfCells = (code: RowIssue): boolean => (ofCells as readonly RowIssue[]).includes(code);
