import { expect, it } from 'vitest';
import { originalCells, processedRow, rowKeyOf } from './row-keys.ts';

it('keeps every cell under its column, however the header looks', () => {
  expect(originalCells(['a', 'a', '', ' b '], ['1', '2', '3', '4', '5'])).toEqual({
    a: '1',
    'a (2)': '2',
    'Column 3': '3',
    b: '4',
    'Column 5': '5',
  });
  expect(originalCells(['a', 'b'], ['1'])).toEqual({ a: '1', b: '' });
  expect(originalCells(['a', 'a (2)', 'a'], ['1', '2', '3'])).toEqual({ a: '1', 'a (2)': '2', 'a (3)': '3' });
});

it('keeps cells of columns named like parts of every object', () => {
  const row = originalCells(['__proto__', 'constructor'], ['1', '2']);
  expect(JSON.stringify(row)).toBe('{"__proto__":"1","constructor":"2"}');
});

it('names the values by the row keys of the specification', () => {
  const row = processedRow({ title: 'Vase', price: '10', vendor: 'Lumen', origin: 'Portugal', sku: 'V-1' });
  expect(row).toMatchObject({
    'Shopify Title': 'Vase',
    'Shopify Price': '10',
    'Shopify Brand': 'Lumen',
    Description: '',
    'Item #': '',
    Origin: 'Portugal',
    SKU: 'V-1',
  });
  expect(Object.keys(row).slice(0, 14)).toEqual([
    'Shopify Title',
    'Shopify Price',
    'Shopify Compare Price',
    'Shopify Cost',
    'Shopify Brand',
    'Shopify UPC',
    'Description',
    'Product Image',
    'Category',
    'Collections',
    'Tags',
    'Product Status',
    'Qty',
    'Item #',
  ]);
  expect(rowKeyOf('handle')).toBe('Handle');
});
