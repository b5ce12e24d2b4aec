import { expect, test } from 'vitest';
import { fileKeyOf, objectKeysOf, type ScannedText, scannedKey } from './object-keys.ts';

const file = 'files/0b4c/a1.csv';
const table = { n: 259, converter: 2 };

test.each<[string, ScannedText]>([
  [file, { encoding: 'utf-8' }],
  [file, { encoding: 'windows-1252' }],
  [`${file}.shift_jis.utf8`, { encoding: 'shift_jis' }],
  [`${file}.utf-16le.utf8`, { encoding: 'utf-16le' }],
  [`${file}.t259v2`, { encoding: 'utf-8', table }],
  [`${file}.t0v1`, { encoding: 'iso-8859-1', table: { n: 0, converter: 1 } }],
  [`${file}.t259v2.shift_jis.utf8`, { encoding: 'shift_jis', table }],
])('%s is scanned, and belongs to its file', (key, scanned) => {
  expect(scannedKey(file, scanned)).toBe(key);
  expect(fileKeyOf(key)).toBe(file);
  expect(objectKeysOf(file, [scanned])).toContain(key);
});

test.each(['files/0b4c/a1.zip', 'imports/7', 'imports/t1v1', 'photos/0b4c-77'])(
  '%s is a file of its own',
  (key) => {
    expect(fileKeyOf(key)).toBe(key);
  },
);

test('the objects of a file are itself and what was made from it, each once', () => {
  expect(objectKeysOf(file, [])).toEqual([file]);
  expect(objectKeysOf(file, [{ encoding: 'utf-8' }, { encoding: 'big5' }, { encoding: 'big5' }])).toEqual([
    file,
    `${file}.big5.utf8`,
  ]);
  expect(objectKeysOf(file, [{ encoding: 'big5', table }])).toEqual([
    file,
    `${file}.t259v2`,
    `${file}.t259v2.big5.utf8`,
  ]);
});
