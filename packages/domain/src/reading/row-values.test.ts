import { expect, it } from 'vitest';
import { mapHeaders } from './mapping/header-mapping.ts';
import { cellValue, readRowValues } from './row-values.ts';

const read = (headers: string, cells: string[]) => readRowValues(cells, mapHeaders(headers.split(',')));

it('takes the first column with a value, trimmed', () => {
  const headers = 'Unit Retail,SCD Sale Price,Shopify Price';
  expect(read(headers, ['30', '20', ' 10 '])).toEqual({ price: '10' });
  expect(read(headers, ['30', '20', '  '])).toEqual({ price: '20' });
  expect(read(headers, ['30', '', ''])).toEqual({ price: '30' });
});

it('leaves out fields without a value, also if the record is short', () => {
  expect(read('Title,Price,SKU', ['Vase'])).toEqual({ title: 'Vase' });
  expect(read('Title,Price', [])).toEqual({});
});

it('leaves out NUL at the ends of a cell, and replaces it inside; a cell of padding only has no value', () => {
  expect(read('Title,Price,SKU,Image 1,Image 2', ['\0 Vase \0\0', '\0', 'V\0-1', 'a\0', '\0'])).toEqual({
    title: 'Vase',
    sku: 'V\uFFFD-1',
    image: 'a',
  });
  const runs = `a${' \0'.repeat(500_000)}b`;
  expect(cellValue(runs)).toBe(runs.replaceAll('\0', '\uFFFD'));
});

it('keeps all additional images', () => {
  expect(read('Title,Image 1,Image 2,Image 3', ['Vase', 'a', '', 'c'])).toEqual({
    title: 'Vase',
    image: 'a',
    moreImages: 'c',
  });
  expect(read('Image 1,Image 2,Image 3', ['a', 'b', 'c'])).toEqual({ image: 'a', moreImages: 'b\nc' });
});

it('takes the unit of a weight from its column’s header, unless there is a column of units', () => {
  expect(read('Title,Weight (kg)', ['Vase', '2'])).toEqual({ title: 'Vase', weight: '2', weightUnit: 'kg' });
  expect(read('Title,Weight (kg)', ['Vase', ''])).toEqual({ title: 'Vase' });
  const both = read('Title,Weight (kg),Weight unit', ['Vase', '2', 'lb']);
  expect(both).toEqual({ title: 'Vase', weight: '2', weightUnit: 'lb' });
  expect(read('Title,Weight', ['Vase', '2'])).toEqual({ title: 'Vase', weight: '2' });
});
