import { expect, test } from 'vitest';
import { canonicalFields } from './canonical-fields.ts';
import { dialogName, headName, inlineFields, lookOf } from './field-look.ts';

test('the columns of rows stand in the order of the table, and all but the title have a width', () => {
  expect(inlineFields.join(' ')).toBe('title price compareAtPrice cost vendor type sku upc quantity');
  expect(inlineFields.filter((field) => lookOf(field).column?.rem === null)).toEqual(['title']);
});

test('every field has a name in heads and in the dialog, mostly its label', () => {
  expect([headName('quantity'), dialogName('quantity')]).toEqual(['Qty', 'Quantity']);
  expect([headName('itemNumber'), dialogName('itemNumber')]).toEqual(['Item number', 'Item #']);
  expect(canonicalFields.filter((field) => !headName(field) || !dialogName(field))).toEqual([]);
});

test('a field that nobody knows looks like a text', () => expect(lookOf('toString')).toEqual({}));
