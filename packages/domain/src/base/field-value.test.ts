import { expect, test } from 'vitest';
import { formatFieldValue, parseFieldValue } from './field-value.ts';

test('a filter by value is one text, whatever is in the value', () => {
  for (const value of ['Nike', 'nike ', '', 'a:b', '10:30 & more']) {
    expect(parseFieldValue(formatFieldValue({ field: 'vendor', value }))).toEqual({ field: 'vendor', value });
  }
});

test('a filter by an option has the name of the option in its value', () => {
  expect(parseFieldValue('options:Size: S')).toEqual({ field: 'options', value: 'Size: S' });
});

test('a text that names no field is no filter', () => {
  for (const text of ['', 'Nike', ':Nike', 'brand-name:Nike', 'toString:x']) {
    expect(parseFieldValue(text)).toBeNull();
  }
});
