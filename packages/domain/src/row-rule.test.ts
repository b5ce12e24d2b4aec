import { expect, it } from 'vitest';
import { classifyRow, type RowClass, worstClass } from './row-rule.ts';

it.each<[string | undefined, string | undefined, RowClass]>([
  ['Vase', '10', 'valid'],
  ['Vase', '0', 'valid'],
  ['Vase', '59,99 €', 'valid'],
  ['Vase', 'on request', 'warning'],
  ['Vase', undefined, 'warning'],
  ['  ', '10', 'warning'],
  [undefined, '10', 'warning'],
  [undefined, 'on request', 'error'],
  ['', '', 'error'],
])('title %j with price %j is %s', (title, price, expected) => {
  expect(classifyRow(title, price)).toBe(expected);
});

it('gives a product the class of its worst row', () => {
  expect(worstClass('valid', 'valid')).toBe('valid');
  expect(worstClass('valid', 'warning')).toBe('warning');
  expect(worstClass('error', 'warning')).toBe('error');
});
