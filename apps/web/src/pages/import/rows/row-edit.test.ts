import { expect, test } from 'vitest';
import { changesOf, draftOf, editedValues } from './row-edit.ts';

test('an edit sends only what changed', () => {
  const values = { title: 'Lamp', price: '10', sku: 'A-1' };
  expect(changesOf(values, draftOf(values))).toEqual({});
  expect(changesOf(values, { ...draftOf(values), price: ' 12 ' })).toEqual({ price: '12' });
  expect(changesOf(values, { ...draftOf(values), title: '', vendor: 'Oak' })).toEqual({
    title: '',
    vendor: 'Oak',
  });
});

test('a further row of a product is edited with the product fields of the first row', () => {
  const first = { title: 'Lamp', vendor: 'Oak', price: '10', upc: '1' };
  expect(editedValues({ price: '12', title: 'Lamp M' }, first)).toEqual({
    title: 'Lamp',
    vendor: 'Oak',
    price: '12',
  });
  expect(editedValues(first, first)).toEqual(first);
});
