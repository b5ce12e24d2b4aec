import { expect, test } from 'vitest';
import { fieldWithValues } from './field-with-values.ts';

test.each([
  [[{ title: 'Vase', type: 'Glass' }, { vendor: 'Ikea' }], 'vendor'],
  [
    [
      { title: 'Vase', vendor: '' },
      { title: 'Lamp', type: 'Light' },
    ],
    'type',
  ],
  [[{ price: '5', title: 'Vase' }], 'title'],
  [[{}], 'vendor'],
  [[], 'vendor'],
] as const)('of rows with %j, the values of %s are listed first', (values, field) => {
  expect(fieldWithValues(values.map((one) => ({ values: one })))).toBe(field);
});
