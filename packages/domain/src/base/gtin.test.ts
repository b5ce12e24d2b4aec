import { expect, it } from 'vitest';
import { barcodeOf, findGtin, findGtinProblem, hasLostDigits, toGtin14 } from './gtin.ts';

it.each([
  ['036000291452', '00036000291452'],
  ['4006381333931', '04006381333931'],
  ['96385074', '00000096385074'],
  ['10614141000415', '10614141000415'],
  ["'036000291452", '00036000291452'],
  ['0 36000 29145 2', '00036000291452'],
  ['0-36000-29145-2', '00036000291452'],
  // A spreadsheet removed the leading zero.
  ['36000291452', '00036000291452'],
])('reads %j as %s', (text, gtin) => {
  expect(toGtin14(text)).toBe(gtin);
});

it.each([
  '',
  '036000291453',
  '4006381333932',
  '12345',
  '3600029145',
  '8.80609E+12',
  '00000000',
  'B0SAMPLE01',
  '036000291452x',
])('refuses %j', (text) => {
  expect(toGtin14(text)).toBeNull();
});

it.each([
  ['4006381333931, 4006381333948', { gtin: '04006381333931', code: '4006381333931' }],
  ['n/a | 4006381333948', { gtin: '04006381333948', code: '4006381333948' }],
  ['4006381333931', { gtin: '04006381333931', code: '4006381333931' }],
  ['4006 3813 3393 1', { gtin: '04006381333931', code: '4006381333931' }],
  ['111, 222', null],
  ['', null],
])('the first valid code in %j is %j', (cell, found) => {
  expect(findGtin(cell)).toEqual(found);
});

it.each([
  ['0 36000 29145 2', '036000291452'],
  ['4-006381-333931', '4006381333931'],
  ['4–006381–333931', '4006381333931'],
  ["'036000291452", '036000291452'],
  ['36000291452', '036000291452'],
  ['04006381333931', '04006381333931'],
  // No valid code: digits without their separators, other text as it is.
  ['0 36000 29145 3', '036000291453'],
  ['AB-123 4', 'AB-123 4'],
  ...'n/a|N.A.|-|—|none|0|0000000000000|k.A.|keine|Sans EAN|нет|无|なし'
    .split('|')
    .map((none): [string, string] => [none, '']),
])('sends %j as %j', (cell, barcode) => {
  expect(barcodeOf(cell)).toBe(barcode);
});

it('digits lost to a spreadsheet are recognized', () => {
  expect(['8.85E+11', '4,00638E+12', '885000000000'].map(hasLostDigits)).toEqual([true, true, false]);
  // A number of 16 digits or more ends in zeros from the 16th on.
  const long = ['123456789012345', '1234567890123450', '12345678901234500000', '1234567890123456'];
  expect(long.map(hasLostDigits)).toEqual([false, true, true, false]);
});

it('gives the reason why a code is no GTIN', () => {
  expect(findGtinProblem('036000291452')).toBeNull();
  expect(findGtinProblem('0360-0029-1452')).toBeNull();
  expect(findGtinProblem('036000291453')).toBe(
    'The last digit doesn’t fit the others. Check the number for a typo.',
  );
  expect(findGtinProblem('12345')).toBe('A UPC has 8, 12, 13 or 14 digits; this one has 5.');
  expect(findGtinProblem('none')).toBe('A UPC has digits only.');
});

it.each(['1234567890128', '0123456789012', '01234567890128', '111111111117', '4444444444444', '00000000'])(
  '%s is an example or a filling, and no GTIN',
  (code) => expect(toGtin14(code)).toBeNull(),
);

it.each([
  ['4000628111108.0', '4000628111108'],
  ['４００６３８１３３３９３１', '4006381333931'],
])('the barcode of %s is %s', (cell, code) => expect(barcodeOf(cell)).toBe(code));
