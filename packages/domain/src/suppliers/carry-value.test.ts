import { expect, test } from 'vitest';
import type { RowValues } from '../base/canonical-fields.ts';
import { carryValue } from './carry-value.ts';

const price = { field: 'price', value: '14.40', saidOf: '12', isFinal: false };

/** Cases of a carried value, the row of the next list, and what is done. */
const cases: [string, Parameters<typeof carryValue>[0], RowValues, ReturnType<typeof carryValue>][] = [
  ['as it was', price, { price: '12.00' }, 'edit'],
  ['as it was, in another notation', price, { price: '12,0' }, 'edit'],
  ['equal to the value', price, { price: '14.4' }, 'settled'],
  ['equal to the value, which a recipe would change', { ...price, isFinal: true }, { price: '14.4' }, 'edit'],
  ['something else', price, { price: '13.00' }, 'decide'],
  ['something else, where it was empty', { ...price, saidOf: '' }, { price: '13.00' }, 'decide'],
  ['empty now', price, { price: '' }, 'edit'],
  ['no such field in this list', price, {}, 'edit'],
  ['cleared, and as it was', { ...price, value: '' }, { price: '12' }, 'edit'],
  ['cleared, and something else', { ...price, value: '' }, { price: '13' }, 'decide'],
  ['cleared, and empty now: it is sent as empty', { ...price, value: '' }, {}, 'edit'],
  [
    'left out, whatever else changed',
    { field: 'leaveOut', value: 'yes', saidOf: null, isFinal: false },
    { price: '1' },
    'edit',
  ],
  ['said nothing that is known', { ...price, saidOf: null }, { price: '12' }, 'decide'],
  [
    'a unit, which is a part of the weight',
    { field: 'weightUnit', value: 'kg', saidOf: 'g', isFinal: false },
    { weight: '2', weightUnit: 'g' },
    'edit',
  ],
  ['tags in another order', { ...price, field: 'tags', value: 'a, b' }, { tags: 'b, a' }, 'settled'],
];

test.each(cases)('%s', (_name, value, values, carried) => {
  expect(carryValue(value, values)).toBe(carried);
});
