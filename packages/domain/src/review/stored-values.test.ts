import { expect, test } from 'vitest';
import { canonicalFields } from '../base/canonical-fields.ts';
import { listSimpleFields } from '../base/simple-fields.ts';
import { fromStoredValues, toStoredValues, valueColumns } from './stored-values.ts';

test('fields have a column of their own, or share one with metafields', () => {
  const columns = Object.values(valueColumns);
  expect(new Set(columns).size).toBe(columns.length);
  const values = Object.fromEntries([...canonicalFields, 'm:custom.care'].map((field) => [field, field]));
  const stored = toStoredValues(values);
  expect(stored.further_values).toEqual(
    Object.fromEntries([...listSimpleFields(), 'category', 'm:custom.care'].map((field) => [field, field])),
  );
  expect(fromStoredValues(stored)).toEqual(values);
});

test('values are stored with their sizes, and read as they were', () => {
  const values = { title: 'Lamp', price: '€ 12,50', quantity: '3.7', compareAtPieces: '2' };
  const stored = toStoredValues(values);
  expect(stored).toMatchObject({ title: 'Lamp', price_text: '€ 12,50', compare_at_pieces: '2', cost: null });
  expect(stored).toMatchObject({ price_size: 12.5, quantity_size: 3, cost_size: null });
  expect(fromStoredValues(stored)).toEqual(values);
});

test('a weight has the size of its unit, and a text in a column of numbers none', () => {
  expect(toStoredValues({ weight: '1.5 kg', price: 'on request' })).toMatchObject({
    price_size: NaN,
    weight_size: 1500,
  });
  expect(toStoredValues({ weight: '250' }).weight_size).toBe(250);
});
