import { expect, test } from 'vitest';
import { formatRowKey, idRangeOfTag, importTag, parseRowKey, type RowKey } from './row-key.ts';

const id = '1a2b3c4d-5e6f-4711-8888-123456789abc';
const key: RowKey = {
  tag: importTag(id),
  row: 118,
  place: 2_529,
  run: 1,
  edit: 4_711,
  found: { vendor: '0b8h', image: 'zz00' },
};

test('a key is found again in its text, with found values, also in capitals and with spaces', () => {
  const text = formatRowKey(key);
  expect(text).toMatch(/^r1a2b3c4d-[\da-z-]+$/);
  expect(parseRowKey(` ${text.toUpperCase()} `)).toEqual(key);
});

test('the place of a row of a sheet, and of an added row', () => {
  for (const place of [3 * 2 ** 40 + 7, -12]) {
    const other = { ...key, place, found: {} };
    expect(parseRowKey(formatRowKey(other))).toEqual(other);
  }
});

test('a key of which one character was changed, or that was cut, is none', () => {
  const text = formatRowKey(key);
  for (let at = 9; at < text.length; at += 1) {
    const other = text.charAt(at) === '1' ? '2' : '1';
    if (text.charAt(at) !== '-')
      expect(parseRowKey(text.slice(0, at) + other + text.slice(at + 1))).toBeNull();
  }
  expect(parseRowKey(text.slice(0, -1))).toBeNull();
  expect(parseRowKey('')).toBeNull();
  expect(parseRowKey('Lamp')).toBeNull();
});

test('the ids of a tag', () => {
  const [first, last] = idRangeOfTag(importTag(id));
  expect(first < id && id < last).toBe(true);
});
