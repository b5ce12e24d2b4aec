import { expect, it } from 'vitest';
import { createCellNamer, processedKeyOf, toProcessedRow } from './row-keys.ts';

it('names every cell uniquely for any header and any length of record', () => {
  const namesOf = createCellNamer(['a', 'a', '', ' b ']);
  const header = ['a', 'a (2)', 'Column 3', 'b'];
  expect(namesOf(5)).toEqual([...header, 'Column 5']);
  expect(namesOf(2)).toEqual(header);
  expect(namesOf(6)).toEqual([...header, 'Column 5', 'Column 6']);
  expect(namesOf(5)).toEqual([...header, 'Column 5']);
  expect(createCellNamer(['a', 'a (2)', 'a'])(3)).toEqual(['a', 'a (2)', 'a (3)']);
});

it('names the values by the row keys of the specification', () => {
  const row = toProcessedRow({ title: 'Vase', price: '10', vendor: 'Lumen', origin: 'Portugal', sku: 'V-1' });
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
  expect(processedKeyOf('handle')).toBe('Handle');
  const further = ['pointOfSale', 'trackQuantity', 'continueSelling', 'origin', 'tcin'] as const;
  expect(further.map(processedKeyOf)).toEqual([
    'Point of Sale',
    'Track Quantity',
    'Continue Selling',
    'Origin',
    'TCIN',
  ]);
});
