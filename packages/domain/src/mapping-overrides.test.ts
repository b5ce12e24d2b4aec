import { expect, test } from 'vitest';
import { type MappingOverrides, mapHeaders } from './reading/mapping/header-mapping.ts';

const operator = (fields: Record<string, MappingOverrides[string]['field']>): MappingOverrides =>
  Object.fromEntries(Object.entries(fields).map(([header, field]) => [header, { field, by: 'operator' }]));

const fieldsOf = (headers: string[], overrides: MappingOverrides) =>
  mapHeaders(headers, [], overrides).columns.map(({ field }) => field);

test('a column has the field that was set, and no other column gets that field', () => {
  expect(fieldsOf(['Title', 'Price', 'MSRP'], {})).toEqual(['title', 'price', 'compareAtPrice']);
  const mapping = mapHeaders(['Title', 'Price', 'MSRP'], [], operator({ MSRP: 'price' }));
  expect(mapping.sources.price).toEqual([2]);
  expect(mapping.columns[1]?.field).not.toBe('price');
  expect(mapping.columns[2]).toMatchObject({
    field: 'price',
    confidence: 1,
    reason: 'Set by you',
    setBy: 'operator',
  });
  expect(mapping.columns[0]).not.toHaveProperty('setBy');
});

test('a column set to no field has none, and another one may get its field', () => {
  expect(fieldsOf(['Title', 'Price', 'MSRP'], operator({ Price: null }))).toEqual(['title', null, 'price']);
});

test('an override by memory names the file that it comes from', () => {
  const overrides: MappingOverrides = { Colour: { field: 'tags', by: 'memory', from: 'prices-may.csv' } };
  expect(mapHeaders(['Title', 'Colour'], [], overrides).columns[1]).toMatchObject({
    field: 'tags',
    reason: 'Remembered from prices-may.csv',
    setBy: 'memory',
  });
});

test('columns are named as everywhere else, and names that the file lacks are ignored', () => {
  const headers = ['Title', 'Price', 'Price', ''];
  const overrides = operator({ 'Price (2)': 'cost', 'Column 4': 'sku', Gone: 'upc' });
  expect(fieldsOf(headers, overrides)).toEqual(['title', 'price', 'cost', 'sku']);
  expect(fieldsOf(['Title', 'constructor'], {})).toEqual(['title', null]);
});

test('further images are found next to an image that was set, and can be set themselves', () => {
  const headers = ['Title', 'Image 1', 'Image 2', 'Photo of box'];
  const first = mapHeaders(headers, [], operator({ 'Image 2': 'image' }));
  expect(first.sources).toMatchObject({ image: [2], moreImages: [1] });
  const more = mapHeaders(headers, [], operator({ 'Photo of box': 'moreImages' }));
  expect(more.sources).toMatchObject({ image: [1], moreImages: [3, 2] });
  const none = mapHeaders(headers, [], operator({ 'Image 2': null }));
  expect(none.sources.moreImages).toBeUndefined();
});
