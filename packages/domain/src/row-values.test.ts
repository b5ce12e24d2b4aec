import { expect, it } from 'vitest';
import { mapHeaders } from './mapping/header-mapping.ts';
import { readRowValues } from './row-values.ts';

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

it('keeps all additional images', () => {
  expect(read('Title,Image 1,Image 2,Image 3', ['Vase', 'a', '', 'c'])).toEqual({
    title: 'Vase',
    image: 'a',
    moreImages: 'c',
  });
  expect(read('Image 1,Image 2,Image 3', ['a', 'b', 'c'])).toEqual({ image: 'a', moreImages: 'b\nc' });
});
