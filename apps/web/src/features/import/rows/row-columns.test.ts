import { expect, test } from 'vitest';
import { noChoice } from './column-choice.ts';
import { type RowColumn, remOf, rowColumns, tableOf, wrongColumn } from './row-columns.ts';

const all: readonly RowColumn[] = [
  'image',
  'compareAtPrice',
  'cost',
  'vendor',
  'type',
  'sku',
  'upc',
  'quantity',
  'outcome',
];
/** The width of the content in a window of this many px, beside the sidebar. */
const contentRem = (windowPx: number) => windowPx / 16 - 17.5;
const columnsAt = (windowPx: number, has: readonly RowColumn[]) =>
  rowColumns(new Set(has), contentRem(windowPx)).join(' ');

test('a table has the columns of the import, in a fixed order, and none that it lacks', () => {
  expect(columnsAt(1440, [])).toBe('row class title price edit');
  expect(columnsAt(1440, ['sku', 'compareAtPrice'])).toBe('row class title price compareAtPrice sku edit');
  expect(columnsAt(1440, ['image', 'vendor', 'upc', 'quantity'])).toBe(
    'row class image title price vendor upc quantity edit',
  );
});

test('the wider the window, the more columns fit, the most useful first', () => {
  expect(columnsAt(1024, all)).toBe('row class title price quantity outcome edit');
  expect(columnsAt(1024, ['image', 'upc', 'quantity'])).toBe('row class title price upc quantity edit');
  expect(columnsAt(1680, all)).toContain('vendor');
  expect(columnsAt(2560, all).split(' ')).toHaveLength(all.length + 5);
});

test('the field of the issue that rows are filtered by has a column before the others', () => {
  const columns = (issue: string) => rowColumns(new Set(all), contentRem(1024), wrongColumn(issue)).join(' ');
  expect(columns('cost-above-price')).toBe('row class title price cost quantity edit');
  expect(columns('duplicate')).toContain('sku');
  // It has no cell of its own.
  expect(columns('option-too-long')).toBe(columnsAt(1024, all));
});

test.each([1024, 1280, 1440, 1680, 1920])('at %i px the title keeps 14 rem', (windowPx) => {
  const others = rowColumns(new Set(all), contentRem(windowPx)).reduce(
    (sum, one) => sum + (remOf(one) ?? 0),
    0,
  );
  expect(contentRem(windowPx) - others).toBeGreaterThanOrEqual(14);
});

test('the SKU takes what the title can spare, unless its width was chosen', () => {
  const skuRemAt = (windowPx: number, has: readonly RowColumn[], rem = {}) =>
    tableOf({ choice: { ...noChoice, rem }, importId: 'a' }, new Set(has), contentRem(windowPx), null).remOf(
      'sku',
    );
  expect(skuRemAt(1440, ['sku', 'upc', 'quantity'])).toBe(14);
  expect(skuRemAt(1440, ['sku', 'upc', 'vendor', 'quantity'])).toBeCloseTo(10);
  expect(skuRemAt(1440, ['sku'], { sku: 6 })).toBe(6);
  expect(skuRemAt(1440, ['sku', 'upc'], { upc: 40 })).toBe(17);
  expect(skuRemAt(1024, ['sku', 'quantity'])).toBe(remOf('sku'));
});
