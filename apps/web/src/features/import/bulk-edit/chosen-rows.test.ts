import type { Row } from '@draftshelf/contract/review/rows';
import { expect, test } from 'vitest';
import {
  changeRowsLabel,
  describeTarget,
  findChosenRows,
  findFieldWithValues,
  findIssueField,
} from './chosen-rows.ts';

const page = {
  rows: [],
  run: 2,
  totalRows: 12_010,
  matching: 8_112,
  facets: { classes: { valid: 0, warning: 0, error: 0 }, needsYou: 0, issues: {}, ignored: 6 },
};
const ticked: ReadonlySet<number> = new Set();
const row = (number: number) => ({ row: number }) as Row;

test('without filter and ticks, all rows are changed but the ignored ones', () => {
  const chosen = findChosenRows({ address: { page: 3 }, page, ticked });
  expect(chosen).toEqual({ target: {}, count: 12_004, field: null, notShown: 0 });
  expect(describeTarget({ target: {}, notShown: 0 })).toBe('All rows');
});

test('a filter selects its rows, and the field of its issue', () => {
  const address = { class: 'needs-you', issue: 'price-not-numeric', q: 'vase', after: 40 } as const;
  const target = { class: 'needs-you', issue: 'price-not-numeric', q: 'vase' } as const;
  expect(findChosenRows({ address, page, ticked })).toEqual({
    ...{ target, count: 8_112, field: 'price', notShown: 0 },
  });
  expect(describeTarget({ target, notShown: 0 })).toBe('Filtered by: Needs you, Invalid price, “vase”');
});

test('the field of an issue is the one that it is about in most of the rows', () => {
  const row = (code: string, field: string | null) => ({ issues: [{ code, field, message: '' }] });
  const options = ['option3Value', 'option2Value', 'option1Value', 'option2Value'];
  const rows = [row('price-missing', 'price'), ...options.map((field) => row('option-too-long', field))];
  expect(findIssueField(rows, 'option-too-long')).toBe('option2Value');
  expect(findIssueField(rows.slice(0, 4), 'option-too-long')).toBe('option1Value');
  expect(findIssueField([], 'option-too-long')).toBe('option1Value');
  expect([findIssueField(rows, 'any'), findIssueField(rows, 'nul'), findIssueField(rows, undefined)]).toEqual(
    [...[null, null, null]],
  );
});

test('ticked rows come before the filter', () => {
  const rows = [row(3), row(5), row(7)];
  const chosen = findChosenRows({
    address: { class: 'error' },
    page: { ...page, rows },
    ticked: new Set([7, 3]),
  });
  expect(chosen).toEqual({ target: { rows: [3, 7], run: 2 }, count: 2, field: null, notShown: 0 });
  expect(describeTarget({ target: { rows: [3, 7] }, notShown: 0 })).toBe('Ticked rows');
});

test('ticked rows that are not shown are named as such', () => {
  const words = (shown: readonly number[], ticked: readonly number[]) => {
    const rows = shown.map(row);
    const chosen = findChosenRows({ address: {}, page: { ...page, rows }, ticked: new Set(ticked) });
    return typeof chosen === 'string' ? chosen : [changeRowsLabel(chosen), describeTarget(chosen)];
  };
  expect(words([3, 5], [8])).toEqual(['Change 1 Row, 1 Not Shown…', 'Row 8, ticked but not shown']);
  expect(words([3, 5], [5, 7, 9])).toEqual(['Change 3 Rows, 2 Not Shown…', 'Ticked rows, 2 not shown']);
  expect(words([8], [8])).toEqual(['Change 1 Row…', 'Row 8']);
});

test('rows of an outcome, and no rows, cannot be changed', () => {
  expect(findChosenRows({ address: { outcome: 'skipped' }, page, ticked })).toMatch(
    /can’t use the filter “Skipped”/,
  );
  expect(findChosenRows({ address: { change: 'new' }, page, ticked })).toMatch(/can’t use this filter/);
  const none = { ...page, matching: 0 };
  expect(findChosenRows({ address: { class: 'error' }, page: none, ticked })).toBe(
    'There are no rows to change.',
  );
});

test('a search that has counted nothing has no number', () => {
  expect(changeRowsLabel({ target: {}, count: null, field: null, notShown: 0 })).toBe('Change Rows Found…');
  expect(changeRowsLabel({ target: {}, count: 1, field: null, notShown: 0 })).toBe('Change 1 Row…');
});

test.each([
  [[{ title: 'Vase', type: 'Glass' }, { vendor: 'Ikea' }], 'vendor'],
  [
    [
      { title: 'Vase', vendor: '' },
      { title: 'Lamp', type: 'Light' },
    ],
    'type',
  ],
  [[{ price: '5', title: 'Vase' }], 'title'],
  [[{}], 'vendor'],
  [[], 'vendor'],
] as const)('of rows with %j, the values of %s are listed first', (values, field) => {
  expect(findFieldWithValues(values.map((ofRow) => ({ values: ofRow })))).toBe(field);
});
