import { expect, test } from 'vitest';
import { columnChipWords, fieldChipWords, ghostWords } from './chip-words.ts';

test('the chip of a column names its fields', () => {
  expect(columnChipWords('RRP', ['price'])).toEqual({ text: 'Price', name: 'Field of RRP: Price' });
  expect(columnChipWords('Item #', ['sku', 'itemNumber']).text).toBe('SKU, Item number');
  expect(columnChipWords('Colour', [])).toEqual({ text: 'Not used', name: 'Field of Colour: not used' });
});

test('the chip of a field names its column, or asks for one where it is required', () => {
  expect(fieldChipWords('price', 'RRP')).toEqual({ text: 'RRP', name: 'Column for Price: RRP' });
  expect(fieldChipWords('upc', null)).toEqual({ text: 'No column', name: 'Column for UPC: no column' });
  expect(fieldChipWords('title', null)).toEqual({
    text: 'Choose a column',
    name: 'Title: choose a column',
  });
  expect(ghostWords('price')).toBe('Price — choose a column');
});
