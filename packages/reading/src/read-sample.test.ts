import { readLimitsDefault } from '@draftshelf/csv/limits';
import { expect, test } from 'vitest';
import { readSample } from './read-sample.ts';

const options = { limits: readLimitsDefault, overrides: {}, rowsMax: 2000, recordsMax: 2 };
const file = Buffer.from('Title,Price,Dealer\nLamp,10,7\nVase,,5\n,,\nBowl,ask,3\n');

test('the first rows are read as an import reads them', () => {
  const reading = readSample(file, true, options);
  expect(reading).toMatchObject({
    headers: ['Title', 'Price', 'Dealer'],
    rows: 3,
    classes: { valid: 1, warning: 2, error: 0 },
  });
  expect(typeof reading === 'object' && reading.records).toMatchObject([
    { row: 1, class: 'valid', values: { title: 'Lamp', price: '10' } },
    { row: 2, class: 'warning', values: { title: 'Vase' } },
  ]);
});

test('overrides of the mapping and of the dialect apply', () => {
  const mapping = { Dealer: { field: 'price' as const, by: 'operator' as const } };
  expect(readSample(file, true, { ...options, overrides: { mapping } })).toMatchObject({
    classes: { valid: 3, warning: 0, error: 0 },
  });
  expect(readSample(file, true, { ...options, overrides: { dialect: { delimiter: ';' } } })).toMatchObject({
    headers: ['Title,Price,Dealer'],
  });
});

test('a row limit counts no more rows, and a part of a file has no last record', () => {
  expect(readSample(file, true, { ...options, rowsMax: 1 })).toMatchObject({
    rows: 1,
    classes: { valid: 1 },
  });
  const lines = Array.from({ length: 40_000 }, (_, at) => `Lamp ${at},1`).join('\n');
  const head = Buffer.from(`Title,Price\n${lines}`).subarray(0, 256 * 1024);
  const reading = readSample(head, false, { ...options, rowsMax: 1_000_000 });
  const complete = head.toString().split('\n').length - 2;
  expect(reading).toMatchObject({ rows: complete, classes: { valid: complete } });
});

test('a file without rows in this reading gives a sentence', () => {
  const overrides = { dialect: { headerRecord: 9 } };
  expect(readSample(file, true, { ...options, overrides })).toBe(
    'There is no header row with data below it.',
  );
});
