import { expect, test } from 'vitest';
import { otherFields, sizedFields, storedValues, valuesOfStored } from './stored-values.ts';

test('stored places of fields stay what they are', () => {
  expect(otherFields).toEqual([
    'compareAtPieces',
    'price',
    'upc',
    'description',
    'quantity',
    'type',
    'compareAtPrice',
    'cost',
    'tags',
    'collections',
    'status',
    'itemNumber',
    'tcin',
    'origin',
    'pointOfSale',
    'trackQuantity',
    'continueSelling',
    'currency',
    'weight',
    'weightUnit',
    'handle',
    'parentSku',
    'option1Name',
    'option1Value',
    'option2Name',
    'option2Value',
    'option3Name',
    'option3Value',
    'moreImages',
    'dimensions',
  ]);
  expect(sizedFields).toEqual(['price', 'compareAtPrice', 'cost', 'quantity', 'weight']);
});

test('values are stored up to the last one, and read as they were', () => {
  const values = { title: 'Lamp', price: '€ 12,50', quantity: '3.7', compareAtPieces: '2' };
  const { others, sizes } = storedValues(values);
  expect(others).toEqual(['2', '€ 12,50', null, null, '3.7']);
  expect(sizes).toEqual([12.5, null, null, 3, null]);
  const columns = { title: 'Lamp', sku: null, vendor: null, image: null };
  expect(valuesOfStored({ ...columns, others })).toEqual(values);
  expect(storedValues({ title: 'Lamp' })).toEqual({ others: null, sizes: null });
});

test('a weight has the size of its unit, and a text in a column of numbers none', () => {
  expect(storedValues({ weight: '1.5 kg', price: 'on request' }).sizes).toEqual([
    NaN,
    null,
    null,
    null,
    1500,
  ]);
  expect(storedValues({ weight: '250' }).sizes?.[4]).toBe(250);
});
