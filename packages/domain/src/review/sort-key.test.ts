import { expect, it } from 'vitest';
import type { InlineField } from '../base/field-look.ts';
import { firstKeyBehindValues, ignoredKey, sortKey } from './sort-key.ts';

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const sorted = (field: InlineField, values: readonly string[]) =>
  values.toSorted((a, b) => byBytes(sortKey(field, a), sortKey(field, b)));

it('sorts amounts and quantities by their size, texts behind them and empty values last', () => {
  const prices = ['', 'TBD', '1,299.00', '$20', '9.90', '€ 0,50', '100', 'a lot'];
  expect(sorted('price', prices)).toEqual(['€ 0,50', '9.90', '$20', '100', '1,299.00', 'a lot', 'TBD', '']);
  expect(sorted('quantity', ['10', '-3', '0', '9', '', '-20', '1000'])).toEqual([
    '-20',
    '-3',
    '0',
    '9',
    '10',
    '1000',
    '',
  ]);
  const weights = ['2.5 kg', '', '800 g', '0', '1200', 'heavy', '1 lb'];
  expect(sorted('weight', weights)).toEqual(['0', '1 lb', '800 g', '1200', '2.5 kg', 'heavy', '']);
});

it('sorts texts without regard to case and accents, whatever they are', () => {
  expect(sorted('title', ['zoo', 'Élan', 'elan 2', 'Apple', '', '白色', ' apple tart'])).toEqual([
    'Apple',
    ' apple tart',
    'Élan',
    'elan 2',
    'zoo',
    '白色',
    '',
  ]);
  expect(sortKey('title', `${'a'.repeat(59)}😀`).isWellFormed()).toBe(true);
});

it('tells values from what is never reversed', () => {
  const behind = ['TBD', ''].map((value) => sortKey('price', value));
  for (const key of [...behind, ignoredKey]) expect(key >= firstKeyBehindValues).toBe(true);
  for (const key of [sortKey('price', '1e9'), sortKey('sku', 'zz')]) expect(key === '1e9').toBe(false);
  expect(sortKey('sku', '￿') < firstKeyBehindValues).toBe(true);
});
