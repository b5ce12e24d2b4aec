import { describe, expect, test } from 'vitest';
import { normalizePrice, parseMeasure, type ScannedFields, toScannedValues } from './scanned-product.ts';

test.for<[string | number, string | null]>([
  ['24.99', '24.99'],
  ['$24.99', '24.99'],
  ['24,99', '24.99'],
  [' 29,95 ', '29.95'],
  ['1.234,50', '1234.50'],
  ['29,9x', null],
  ['29..95', null],
  [24.9, '24.90'],
  [24, '24.00'],
  [0, '0.00'],
  ['.5', '0.50'],
  ['1,299', '1299.00'],
  ['24.999', '24.999'],
  ['', null],
  ['-1', null],
  [-1, null],
  ['free', null],
  [Number.NaN, null],
  [1e21, null],
])('the price %j is stored as %j', ([price, text]) => {
  expect(normalizePrice(price)).toBe(text);
});

test.for<[string | number | null | undefined, number | null]>([
  ['2.5', 2.5],
  [' 2,5 ', 2.5],
  ['1,299', 1299],
  ['1.234,5', 1234.5],
  ['2,5 kg', null],
  ['$2', null],
  ['2,,5', null],
  [10, 10],
  ['', 0],
  [null, 0],
  [undefined, 0],
  ['-1', null],
  [1_000_001, null],
  ['ten', null],
  ['0x10', null],
  ['1e3', null],
  ['.5', 0.5],
  ['5.', 5],
  [Number.NaN, null],
])('the measure %j is %j', ([measure, number]) => {
  expect(parseMeasure(measure)).toBe(number);
});

const product: ScannedFields = {
  name: 'Vase',
  description: '',
  price: '24.99',
  sku: 'V-1',
  upc: null,
  dimensions: { length: 0, width: 0, height: 0, unit: 'in' },
  weight: { value: 0, unit: 'lb' },
  photos: [],
};

describe('the values of a scanned product as those of a row', () => {
  test('leave out what is empty or 0', () => {
    expect(toScannedValues(product)).toEqual({ title: 'Vase', price: '24.99', sku: 'V-1' });
  });

  test('have dimensions, weight with its unit, and all photos in order', () => {
    const photos = ['https://x.test/1.jpg', 'https://x.test/2.jpg', 'https://x.test/3.jpg'];
    const full: ScannedFields = {
      ...product,
      description: ' Blue.\nTall. ',
      upc: '012345678905',
      dimensions: { length: 10, width: 5.5, height: 0, unit: 'cm' },
      weight: { value: 2.5, unit: 'kg' },
      photos,
    };
    expect(toScannedValues(full)).toEqual({
      title: 'Vase',
      price: '24.99',
      sku: 'V-1',
      description: 'Blue.\nTall.',
      upc: '012345678905',
      dimensions: '10×5.5×0 cm',
      weight: '2.5',
      weightUnit: 'kg',
      image: photos[0],
      moreImages: `${photos[1]}\n${photos[2]}`,
    });
  });
});
