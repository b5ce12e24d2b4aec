import { expect, test } from 'vitest';
import { canonicalFields } from './canonical-fields.ts';
import { columnHeading, displayOf, fieldsShownByDefault, inlineFields, sortFields } from './field-look.ts';

test('every field but a picture may be a column of rows, the usual ones first', () => {
  expect(fieldsShownByDefault.join(' ')).toBe('title price compareAtPrice cost vendor type sku upc quantity');
  expect(inlineFields.slice(0, fieldsShownByDefault.length)).toEqual(fieldsShownByDefault);
  expect(inlineFields.toSorted()).toEqual(canonicalFields.filter((field) => field !== 'image').toSorted());
  expect(inlineFields.filter((field) => displayOf(field).rem === null)).toEqual(['title']);
});

test('rows are sorted by all of them but texts of several lines', () => {
  expect(inlineFields.filter((field) => !sortFields.includes(field))).toEqual(['description', 'moreImages']);
});

test('a name in a head may be shorter than the label', () => {
  expect([columnHeading('quantity'), columnHeading('itemNumber')]).toEqual(['Qty', 'Item number']);
});

test('a field that nobody knows looks like a text', () => expect(displayOf('toString')).toEqual({}));
