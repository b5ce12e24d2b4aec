import { expect, it } from 'vitest';
import { inRange, noChoice, readChoice, withMoved, withShown } from './column-choice.ts';
import { type RowColumn, tableOf } from './row-columns.ts';

const has = new Set<RowColumn>(['sku', 'upc', 'vendor']);

it('shows the chosen columns in their order, and that of the issue that rows are filtered by', () => {
  const choice = { columns: ['sku', 'title', 'price'], rem: { sku: 12 } } as const;
  const { columns, remOf, isWide } = tableOf(choice, has, 72, null);
  expect(columns).toEqual(['row', 'class', 'sku', 'title', 'price', 'edit']);
  expect([remOf('sku'), remOf('title'), isWide]).toEqual([12, undefined, false]);
  expect(tableOf(choice, has, 72, 'cost').columns).toEqual([
    'row',
    'class',
    'sku',
    'title',
    'price',
    'cost',
    'edit',
  ]);
  expect(tableOf({ ...choice, columns: ['price'] }, has, 72, 'price').columns).toContain('title');
});

it('shows a column of the file where the file has it', () => {
  const choice = readChoice('{"columns":["title","cell:Bin","price"],"rem":{"cell:Bin":6}}');
  const { columns, remOf } = tableOf(choice, new Set([...has, 'cell:Bin'] as const), 72, null);
  expect(columns).toEqual(['row', 'class', 'title', 'cell:Bin', 'price', 'edit']);
  expect([remOf('cell:Bin'), remOf('cell:Other')]).toEqual([6, 8.25]);
  expect(tableOf(choice, has, 72, null).columns).toEqual(['row', 'class', 'title', 'price', 'edit']);
});

it('scrolls what does not fit, and fits what was not chosen', () => {
  const wide = { columns: ['title', 'price', 'sku', 'upc'], rem: { price: 40, sku: 30 } } as const;
  const { isWide, remOf } = tableOf(wide, has, 72, null);
  expect(isWide).toBe(true);
  expect(remOf('title')).toBeGreaterThan(14);
  const widened = tableOf({ columns: null, rem: { vendor: 60 } }, has, 60, null);
  expect(widened.columns).not.toContain('vendor');
  expect(widened.isWide).toBe(false);
});

it('reads what it has stored, and nothing else', () => {
  const choice = { columns: ['title', 'sku'], rem: { sku: 12 } };
  expect(readChoice(JSON.stringify(choice))).toEqual(choice);
  const broken = [
    null,
    'no JSON',
    '[]',
    '{"columns":["nope"],"rem":{}}',
    '{"columns":["sku","sku"],"rem":{}}',
    '{"columns":null,"rem":{"sku":1e9}}',
    '{"columns":null,"rem":{"__proto__":5}}',
  ];
  for (const text of broken) expect(readChoice(text), `${text}`).toEqual(noChoice);
  expect([inRange(1), inRange(10.1), inRange(1e9)]).toEqual([4, 10, 60]);
});

it('shows, hides and moves columns; the title stays', () => {
  const columns = ['title', 'price', 'sku'] as const;
  expect(withShown(columns, 'upc', true)).toEqual(['title', 'price', 'sku', 'upc']);
  expect(withShown(columns, 'price', false)).toEqual(['title', 'sku']);
  expect(withShown(columns, 'title', false)).toEqual(columns);
  expect(withMoved(columns, 'sku', -1)).toEqual(['title', 'sku', 'price']);
  expect(withMoved(columns, 'sku', 1)).toEqual(columns);
});
