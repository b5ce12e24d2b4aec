import { expect, test } from 'vitest';
import { changesOf, draftOf } from './row-edit.ts';

test('an edit sends only what changed', () => {
  const values = { title: 'Lamp', price: '10', sku: 'A-1' };
  expect(changesOf(values, draftOf(values))).toEqual({});
  expect(changesOf(values, { ...draftOf(values), price: ' 12 ' })).toEqual({ price: '12' });
  expect(changesOf(values, { ...draftOf(values), title: '', vendor: 'Oak' })).toEqual({
    title: '',
    vendor: 'Oak',
  });
});
