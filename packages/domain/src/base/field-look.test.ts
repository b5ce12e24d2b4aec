import { expect, test } from 'vitest';
import { canonicalFields } from './canonical-fields.ts';
import { headName, inlineFields, lookOf, sortFields, usualFields } from './field-look.ts';

test('every field but a picture may be a column of rows, the usual ones first', () => {
  expect(usualFields.join(' ')).toBe('title price compareAtPrice cost vendor type sku upc quantity');
  expect(inlineFields.slice(0, usualFields.length)).toEqual(usualFields);
  expect(inlineFields.toSorted()).toEqual(canonicalFields.filter((field) => field !== 'image').toSorted());
  expect(inlineFields.filter((field) => lookOf(field).rem === null)).toEqual(['title']);
});

test('rows are sorted by all of them but texts of several lines', () => {
  expect(inlineFields.filter((field) => !sortFields.includes(field))).toEqual(['description', 'moreImages']);
});

test('a name in a head may be shorter than the label', () => {
  expect([headName('quantity'), headName('itemNumber')]).toEqual(['Qty', 'Item number']);
});

test('a field that nobody knows looks like a text', () => expect(lookOf('toString')).toEqual({}));
