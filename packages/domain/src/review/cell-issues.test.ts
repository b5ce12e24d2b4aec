import { expect, test } from 'vitest';
import type { RowValues } from '../base/canonical-fields.ts';
import { mapHeaders } from '../reading/mapping/header-mapping.ts';
import { readRowValues } from '../reading/row-values.ts';
import { findCellIssues } from './cell-issues.ts';
import { issuesIn } from './issue-set.ts';
import { validateRow } from './validate-row.ts';

const headers = ['Title', 'Price', 'Quantity', 'SKU', 'Notes'];
const plain = [
  ['Oak lamp', '12.50', '3', 'A-1', ''],
  ['Oak vase', '9.90', '4', '1-2B', ''],
  ['Oak bowl', '7.90', '5', 'C7', ''],
];
const mapping = mapHeaders(headers, plain);
const issuesOf = (cells: readonly string[], values?: RowValues, of = mapping) =>
  issuesIn(findCellIssues((column) => cells[column], of, values));

test('the error of a formula is no value, and says so', () => {
  const cells = ['Oak tray', '#REF!', ' #N/A ', 'D-1', '#N/A'];
  const values = readRowValues(cells, mapping);
  expect(values).toEqual({ title: 'Oak tray', sku: 'D-1' });
  expect(issuesIn(validateRow(values, {}).issues)).toEqual(['price-missing']);
  // Nothing but this says that 0 is sent for the quantity.
  expect(issuesOf(cells)).toEqual(['quantity-not-numeric', 'formula-error']);
  // An edit of one cell leaves the other; of both, nothing is wrong. An unmapped column is nothing to say.
  expect(issuesOf(cells, { ...values, price: '5' })).toEqual(['quantity-not-numeric', 'formula-error']);
  expect(issuesOf(cells, { ...values, quantity: '1' })).toEqual(['formula-error']);
  expect(issuesOf(cells, { ...values, price: '5', quantity: '1' })).toEqual([]);
  expect(issuesOf(['Oak tray', '5', '1', 'D-1', '#N/A'])).toEqual([]);
});

test('a column that is read where another has an error ends it', () => {
  const two = { ...mapping, sources: { ...mapping.sources, price: [1, 2] } };
  const cells = ['Oak tray', '=B2*2', '8', '', ''];
  expect(readRowValues(cells, two).price).toBe('8');
  expect(issuesOf(cells, undefined, { ...two, sources: { price: [1, 2] } })).toEqual([]);
  expect(issuesOf(cells)).toEqual(['formula-not-calculated']);
  const quantities = { ...mapping, sources: { quantity: [1, 2] } };
  expect(issuesOf(['', '=B2*2', 'Err:502'], undefined, quantities)).toEqual([
    ...['quantity-not-numeric', 'formula-not-calculated'],
  ]);
  expect(issuesOf(['', '#NV', '3'], undefined, quantities)).toEqual([]);
});

test('a date among other codes was made by a spreadsheet', () => {
  for (const code of ['2026-02-01', '1-Feb', 'Feb-24', '01. Mrz', '12.03.2026', '3/12/2026']) {
    const cells = ['Oak tray', '5', '1', code, ''];
    expect([code, issuesOf(cells)]).toEqual([code, ['made-a-date']]);
    expect(issuesOf(cells, { sku: code })).toEqual(['made-a-date']);
    expect(issuesOf(cells, { sku: '1-2' })).toEqual([]);
  }
  for (const code of ['FEB-24', '2026-02', '1-2', 'Feb-2024']) {
    expect(issuesOf(['Oak tray', '5', '1', code, ''])).toEqual([]);
  }
});

test('a column of dates means dates', () => {
  const dated = mapHeaders(
    headers,
    plain.map((cells, at) => cells.with(3, `2026-02-0${at + 1}`)),
  );
  expect(dated.dateColumns).toEqual([3]);
  expect(issuesOf(['Oak tray', '5', '1', '2026-02-09', ''], undefined, dated)).toEqual([]);
});

test('sizes of which most became dates were no dates', () => {
  for (const sizes of [
    ['8-Jun', '10-Aug', '12-Oct', '13-14'],
    ['8-Jun', '10-Aug', '12-Oct', '2-Jan'],
    ['2026-06-08', '2026-08-10', '2026-10-12', '13-14'],
  ]) {
    const some = mapHeaders(
      ['Handle', 'Title', 'Option1 Value', 'Price'],
      sizes.map((size) => ['tee', 'Tee', size, '12.00']),
    );
    expect(issuesOf(['tee', 'Tee', sizes[0] ?? '', '12.00'], undefined, some)).toEqual(['made-a-date']);
  }
});

test('columns are recognized although some of their formulas have failed', () => {
  const cells = ['#N/A', '#N/A', '#N/A', '12.50', '9.90'];
  const rows = cells.map((cost, at) => [
    `Oak lamp no. ${at}`,
    cost,
    `=IMAGE("https://example.com/${at}.jpg")`,
  ]);
  const { sources } = mapHeaders(['Bezeichnung', 'xyz', 'qrs'], rows);
  expect(sources).toMatchObject({ price: [1], image: [2] });
});

test('texts that are cleaned are counted, and those that are garbled flagged', () => {
  const named = [...headers.slice(0, 4), 'Brand'];
  const rows = [['Salt &amp; pepper', '5', '1', 'A-\u200b1', 'CafÃ©'], ...plain];
  const some = mapHeaders(named, [...rows, ['Oak tray', '5', '1', 'D-1', 'Bürste']]);
  expect(readRowValues(rows[0] ?? [], some)).toEqual({
    ...{ title: 'Salt & pepper', price: '5', quantity: '1', sku: 'A-1', vendor: 'CafÃ©' },
  });
  expect(issuesOf(rows[0] ?? [], undefined, some)).toEqual(['text-cleaned', 'text-garbled']);
  const edited = { title: 'Salt', sku: 'A-1', vendor: 'Café' };
  expect(issuesOf(rows[0] ?? [], edited, some)).toEqual(['text-cleaned']);
  expect(issuesOf(rows[0] ?? [], { ...edited, sku: 'A-2' }, some)).toEqual([]);
  // All cells of the column that are not ASCII say so.
  const all = mapHeaders(named, rows);
  expect(readRowValues(rows[0] ?? [], all).vendor).toBe('Café');
  expect(issuesOf(rows[0] ?? [], undefined, all)).toEqual(['text-cleaned']);
  expect(issuesOf(plain[0] ?? [], undefined, all)).toEqual([]);
});
