import { expect, test } from 'vitest';
import { hasUnsentWeight, weightOf } from './weight.ts';

test.each([
  ['2.5', 'lb', { value: 2.5, unit: 'lb' }],
  ['2,5', 'LBS', { value: 2.5, unit: 'lb' }],
  ['1,250', 'grams', { value: 1250, unit: 'g' }],
  ['12', 'oz.', { value: 12, unit: 'oz' }],
  ['0.3 kg', '', { value: 0.3, unit: 'kg' }],
  ['300g', 'kg', { value: 300, unit: 'g' }],
  ['5 Lbs.', '', { value: 5, unit: 'lb' }],
  ['5', '', null],
  ['5', 'stone', null],
  ['5 stone', 'kg', null],
  ['', 'kg', null],
  ['0', 'kg', null],
  ['-5', 'kg', null],
  ['heavy', 'kg', null],
  ['1 lb 4 oz', '', { value: 20, unit: 'oz' }],
  ['2 kg 300 g', '', { value: 2300, unit: 'g' }],
  ['25 dkg', '', { value: 250, unit: 'g' }],
  ['500 mg', '', { value: 0.5, unit: 'g' }],
  ['0.2 ct', '', { value: 0.04, unit: 'g' }],
  ['1,5 libbre', '', { value: 1.5, unit: 'lb' }],
  ['２５０ｇ', '', { value: 250, unit: 'g' }],
  ['250 ml', '', null],
  ['1e3', 'kg', null],
  ['1000001', 'g', null],
  ['1'.repeat(100), 'g', null],
])('the weight of %j with unit %j', (weight, weightUnit, expected) => {
  expect(weightOf({ weight, weightUnit })).toEqual(expected);
});

test.each([
  [{ weight: '1.23' }, true],
  [{ weight: '1.23', weightUnit: 'stone' }, true],
  [{ weight: 'heavy', weightUnit: 'kg' }, true],
  [{ weight: '1.23', weightUnit: 'kg' }, false],
  [{ weight: '1.23 kg' }, false],
  [{ weight: '0.00' }, false],
  [{ weight: '0 kg' }, false],
  [{ weight: ' ' }, false],
  [{ weightUnit: 'kg' }, false],
])('of %j, a weight is not sent: %j', (row, unsent) => {
  expect(hasUnsentWeight(row)).toBe(unsent);
});
