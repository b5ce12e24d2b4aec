import { expect, it, test } from 'vitest';
import {
  type ColumnChoice,
  clampWidth,
  createShownTable,
  emptyColumnChoice,
  findColumnRem,
  findIssueColumn,
  fitColumns,
  moveColumn,
  orderColumns,
  parseColumnChoice,
  type RowColumn,
  type ShownColumn,
  selectShownColumns,
  setColumnShown,
} from './row-columns.ts';

const all: readonly RowColumn[] = [
  ...(['image', 'compareAtPrice', 'cost', 'vendor', 'type'] as const),
  ...(['sku', 'upc', 'quantity', 'outcome'] as const),
];
/** The width of the content in a window of this many px, beside the sidebar. */
const contentRem = (windowPx: number) => windowPx / 16 - 17.5;
const columnsAt = (windowPx: number, has: readonly RowColumn[]) =>
  fitColumns(new Set(has), contentRem(windowPx)).join(' ');

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
  const columns = (issue: string) =>
    fitColumns(new Set(all), contentRem(1024), findIssueColumn(issue)).join(' ');
  expect(columns('cost-above-price')).toBe('row class title price cost quantity edit');
  expect(columns('duplicate')).toContain('sku');
  // It has no cell of its own.
  expect(columns('option-too-long')).toBe(columnsAt(1024, all));
});

test.each([1024, 1280, 1440, 1680, 1920])('at %i px the title keeps 14 rem', (windowPx) => {
  const others = fitColumns(new Set(all), contentRem(windowPx)).reduce(
    (sum, one) => sum + (findColumnRem(one) ?? 0),
    0,
  );
  expect(contentRem(windowPx) - others).toBeGreaterThanOrEqual(14);
});

test('the SKU takes what it needs and the title can spare, unless its width was chosen', () => {
  const skuRemAt = (windowPx: number, has: readonly RowColumn[], rem = {}, chars?: number) => {
    const chosen = { choice: { ...emptyColumnChoice, rem }, importId: 'a' };
    return createShownTable(chosen, new Set(has), contentRem(windowPx), null, chars).remOf('sku');
  };
  expect(skuRemAt(1440, ['sku', 'upc', 'quantity'])).toBe(14);
  expect(skuRemAt(1440, ['sku', 'upc', 'vendor', 'quantity'])).toBeCloseTo(10);
  expect(skuRemAt(1440, ['sku'], { sku: 6 })).toBe(6);
  expect(skuRemAt(1440, ['sku', 'upc'], { upc: 40 })).toBe(17);
  expect(skuRemAt(1024, ['sku', 'quantity'])).toBe(findColumnRem('sku'));
  expect(skuRemAt(1440, ['sku', 'upc', 'quantity'], {}, 15)).toBe(10.5);
  expect(skuRemAt(1440, ['sku', 'upc'], { upc: 40 }, 5)).toBe(findColumnRem('sku'));
});

const has = new Set<RowColumn>(['sku', 'upc', 'vendor']);
const tableIn = (
  importId: string,
  choice: Partial<ColumnChoice>,
  ofImport: Iterable<RowColumn> = has,
  wrong: string | null = null,
  rem = 72,
) =>
  createShownTable({ choice: { ...emptyColumnChoice, ...choice }, importId }, new Set(ofImport), rem, wrong);
const columnsIn = (...of: Parameters<typeof tableIn>) => selectShownColumns(tableIn(...of).columns);

it('shows what an import has, also if columns were chosen in another one', () => {
  let choice = setColumnShown(emptyColumnChoice, 'description', true, 'a');
  choice = setColumnShown(choice, 'tags', true, 'a');
  choice = setColumnShown(choice, 'sku', false, 'a');
  choice = moveColumn(choice, columnsIn('a', choice, ['tags', 'sku', 'quantity']), 'tags', -1);
  expect(columnsIn('a', choice, ['tags', 'sku', 'quantity'])).toEqual([
    ...['title', 'price', 'quantity', 'tags', 'description'],
  ]);
  expect(columnsIn('b', choice)).toEqual(['title', 'price', 'vendor', 'upc']);
  expect(columnsIn('b', choice, [...has, 'tags'])).toEqual(['title', 'price', 'vendor', 'upc', 'tags']);
  expect(columnsIn('b', setColumnShown(choice, 'sku', true, 'b'))).toContain('sku');
  expect(columnsIn('b', setColumnShown(choice, 'vendor', false, 'b'))).toEqual(['title', 'price', 'upc']);
});

it('shows the hidden column of the issue that rows are filtered by', () => {
  const choice = { hidden: ['price', 'sku'] } as const;
  expect(columnsIn('a', choice)).toEqual(['title', 'vendor', 'upc']);
  expect(columnsIn('a', choice, has, 'price')).toEqual(['title', 'price', 'vendor', 'upc']);
});

it('shows a column of the file where the file has it', () => {
  const choice = { added: { 'cell:Bin': 'a' }, rem: { 'cell:Bin': 6 } };
  expect(columnsIn('b', choice, ['cell:Bin'])).toEqual(['title', 'price', 'cell:Bin']);
  const { remOf: findColumnRem } = tableIn('b', choice, ['cell:Bin']);
  expect([findColumnRem('cell:Bin'), findColumnRem('cell:Other')]).toEqual([6, 8.25]);
  expect(columnsIn('b', choice, [])).toEqual(['title', 'price']);
});

it('scrolls what does not fit, and hides no column because another was added or widened', () => {
  const { isWide, remOf: findColumnRem } = tableIn('a', {
    added: { tags: 'a' },
    rem: { price: 30, tags: 40 },
  });
  expect(isWide).toBe(true);
  expect(findColumnRem('title')).toBeGreaterThan(14);
  const widened = tableIn('a', { rem: { vendor: 60 } });
  expect(widened.columns).toEqual(tableIn('a', {}).columns);
  expect([tableIn('a', {}).isWide, widened.isWide]).toEqual([false, true]);
});

it('reads what it has stored, and nothing else', () => {
  const choice = { hidden: ['sku'], added: { tags: 'a' }, order: ['title', 'sku'], rem: { sku: 12 } };
  expect(parseColumnChoice(JSON.stringify(choice))).toEqual(choice);
  const broken = [
    { columns: ['title', 'sku'], rem: {} },
    { ...emptyColumnChoice, hidden: ['nope'] },
    { ...emptyColumnChoice, order: ['sku', 'sku'] },
    { ...emptyColumnChoice, added: { sku: 1 } },
    { ...emptyColumnChoice, rem: { sku: 1e9 } },
  ].map((one) => JSON.stringify(one));
  const texts = [
    null,
    'no JSON',
    '[]',
    '{"hidden":[],"added":{},"order":[],"rem":{"__proto__":5}}',
    ...broken,
  ];
  for (const text of texts) expect(parseColumnChoice(text), `${text}`).toEqual(emptyColumnChoice);
  expect([clampWidth(1), clampWidth(10.1), clampWidth(1e9)]).toEqual([4, 10, 60]);
});

it('moves columns among those of other imports; the title stays', () => {
  const shown: readonly ShownColumn[] = ['title', 'price', 'sku'];
  expect(setColumnShown(emptyColumnChoice, 'title', false, 'a')).toEqual(emptyColumnChoice);
  expect(moveColumn(emptyColumnChoice, shown, 'sku', -1).order).toEqual(['title', 'sku', 'price']);
  expect(moveColumn(emptyColumnChoice, shown, 'sku', 1)).toEqual(emptyColumnChoice);
  const order: readonly ShownColumn[] = ['title', 'price', 'upc', 'sku'];
  expect(moveColumn({ ...emptyColumnChoice, order }, shown, 'sku', -1).order).toEqual([
    'title',
    'sku',
    'price',
    'upc',
  ]);
  expect(orderColumns(['image', 'title', 'upc'], ['upc', 'title'])).toEqual(['image', 'upc', 'title']);
});
