import { expect, test } from 'vitest';
import { changeLabel, chosenRows, fieldOfIssue } from './chosen-rows.ts';
import { targetWords } from './target-words.ts';

const page = {
  rows: [],
  run: 2,
  totalRows: 12_010,
  matching: 8_112,
  facets: { classes: { valid: 0, warning: 0, error: 0 }, needsYou: 0, issues: {}, ignored: 6 },
};
const ticked: ReadonlySet<number> = new Set();

test('without filter and ticks, all rows are changed but the ignored ones', () => {
  const chosen = chosenRows({ address: { page: 3 }, page, ticked });
  expect(chosen).toEqual({ target: {}, count: 12_004, field: null });
  expect(targetWords({})).toBe('All rows');
});

test('a filter selects its rows, and the field of its issue', () => {
  const address = { class: 'needs-you', issue: 'price-not-numeric', q: 'vase', after: 40 } as const;
  const target = { class: 'needs-you', issue: 'price-not-numeric', q: 'vase' } as const;
  expect(chosenRows({ address, page, ticked })).toEqual({ target, count: 8_112, field: 'price' });
  expect(targetWords(target)).toBe('Filtered by: Needs you, Invalid price, “vase”');
});

test('the field of an issue is the one that it is about in most of the rows', () => {
  const row = (code: string, field: string | null) => ({ issues: [{ code, field, message: '' }] });
  const options = ['option3Value', 'option2Value', 'option1Value', 'option2Value'];
  const rows = [row('price-missing', 'price'), ...options.map((field) => row('option-too-long', field))];
  expect(fieldOfIssue(rows, 'option-too-long')).toBe('option2Value');
  expect(fieldOfIssue(rows.slice(0, 4), 'option-too-long')).toBe('option1Value');
  expect(fieldOfIssue([], 'option-too-long')).toBe('option1Value');
  expect([fieldOfIssue(rows, 'any'), fieldOfIssue(rows, 'nul'), fieldOfIssue(rows, undefined)]).toEqual([
    ...[null, null, null],
  ]);
});

test('ticked rows come before the filter', () => {
  const chosen = chosenRows({ address: { class: 'error' }, page, ticked: new Set([7, 3]) });
  expect(chosen).toEqual({ target: { rows: [3, 7], run: 2 }, count: 2, field: null });
  expect(targetWords({ rows: [3, 7] })).toBe('Ticked rows');
});

test('rows of an outcome, and no rows, cannot be changed', () => {
  expect(chosenRows({ address: { outcome: 'skipped' }, page, ticked })).toMatch(/by outcome/);
  const none = { ...page, matching: 0 };
  expect(chosenRows({ address: { class: 'error' }, page: none, ticked })).toBe(
    'There are no rows to change.',
  );
});

test('a search that has counted nothing has no number', () => {
  expect(changeLabel({ target: {}, count: null, field: null })).toBe('Change Rows Found…');
  expect(changeLabel({ target: {}, count: 1, field: null })).toBe('Change 1 Row…');
});
