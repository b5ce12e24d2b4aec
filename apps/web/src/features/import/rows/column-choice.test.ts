import { expect, it } from 'vitest';
import {
  type ColumnChoice,
  inOrder,
  inRange,
  noChoice,
  readChoice,
  type ShownColumn,
  withMoved,
  withShown,
} from './column-choice.ts';
import { type RowColumn, shownOf, tableOf } from './row-columns.ts';

const has = new Set<RowColumn>(['sku', 'upc', 'vendor']);
const tableIn = (
  importId: string,
  choice: Partial<ColumnChoice>,
  ofImport: Iterable<RowColumn> = has,
  wrong: string | null = null,
  rem = 72,
) => tableOf({ choice: { ...noChoice, ...choice }, importId }, new Set(ofImport), rem, wrong);
const columnsIn = (...of: Parameters<typeof tableIn>) => shownOf(tableIn(...of).columns);

it('shows what an import has, also if columns were chosen in another one', () => {
  let choice = withShown(noChoice, 'description', true, 'a');
  choice = withShown(choice, 'tags', true, 'a');
  choice = withShown(choice, 'sku', false, 'a');
  choice = withMoved(choice, columnsIn('a', choice, ['tags', 'sku', 'quantity']), 'tags', -1);
  expect(columnsIn('a', choice, ['tags', 'sku', 'quantity'])).toEqual([
    ...['title', 'price', 'quantity', 'tags', 'description'],
  ]);
  expect(columnsIn('b', choice)).toEqual(['title', 'price', 'vendor', 'upc']);
  expect(columnsIn('b', choice, [...has, 'tags'])).toEqual(['title', 'price', 'vendor', 'upc', 'tags']);
  expect(columnsIn('b', withShown(choice, 'sku', true, 'b'))).toContain('sku');
  expect(columnsIn('b', withShown(choice, 'vendor', false, 'b'))).toEqual(['title', 'price', 'upc']);
});

it('shows the hidden column of the issue that rows are filtered by', () => {
  const choice = { hidden: ['price', 'sku'] } as const;
  expect(columnsIn('a', choice)).toEqual(['title', 'vendor', 'upc']);
  expect(columnsIn('a', choice, has, 'price')).toEqual(['title', 'price', 'vendor', 'upc']);
});

it('shows a column of the file where the file has it', () => {
  const choice = { added: { 'cell:Bin': 'a' }, rem: { 'cell:Bin': 6 } };
  expect(columnsIn('b', choice, ['cell:Bin'])).toEqual(['title', 'price', 'cell:Bin']);
  const { remOf } = tableIn('b', choice, ['cell:Bin']);
  expect([remOf('cell:Bin'), remOf('cell:Other')]).toEqual([6, 8.25]);
  expect(columnsIn('b', choice, [])).toEqual(['title', 'price']);
});

it('scrolls what does not fit, and hides no column because another was added or widened', () => {
  const { isWide, remOf } = tableIn('a', { added: { tags: 'a' }, rem: { price: 30, tags: 40 } });
  expect(isWide).toBe(true);
  expect(remOf('title')).toBeGreaterThan(14);
  const widened = tableIn('a', { rem: { vendor: 60 } });
  expect(widened.columns).toEqual(tableIn('a', {}).columns);
  expect([tableIn('a', {}).isWide, widened.isWide]).toEqual([false, true]);
});

it('reads what it has stored, and nothing else', () => {
  const choice = { hidden: ['sku'], added: { tags: 'a' }, order: ['title', 'sku'], rem: { sku: 12 } };
  expect(readChoice(JSON.stringify(choice))).toEqual(choice);
  const broken = [
    { columns: ['title', 'sku'], rem: {} },
    { ...noChoice, hidden: ['nope'] },
    { ...noChoice, order: ['sku', 'sku'] },
    { ...noChoice, added: { sku: 1 } },
    { ...noChoice, rem: { sku: 1e9 } },
  ].map((one) => JSON.stringify(one));
  const texts = [
    null,
    'no JSON',
    '[]',
    '{"hidden":[],"added":{},"order":[],"rem":{"__proto__":5}}',
    ...broken,
  ];
  for (const text of texts) expect(readChoice(text), `${text}`).toEqual(noChoice);
  expect([inRange(1), inRange(10.1), inRange(1e9)]).toEqual([4, 10, 60]);
});

it('moves columns among those of other imports; the title stays', () => {
  const shown: readonly ShownColumn[] = ['title', 'price', 'sku'];
  expect(withShown(noChoice, 'title', false, 'a')).toEqual(noChoice);
  expect(withMoved(noChoice, shown, 'sku', -1).order).toEqual(['title', 'sku', 'price']);
  expect(withMoved(noChoice, shown, 'sku', 1)).toEqual(noChoice);
  const order: readonly ShownColumn[] = ['title', 'price', 'upc', 'sku'];
  expect(withMoved({ ...noChoice, order }, shown, 'sku', -1).order).toEqual(['title', 'sku', 'price', 'upc']);
  expect(inOrder(['image', 'title', 'upc'], ['upc', 'title'])).toEqual(['image', 'upc', 'title']);
});
