import { expect, test } from 'vitest';
import { type CellCompareOptions, compareCell } from './compare-cell.ts';

const lossy = { isLossy: true };
const commas = { decimals: ',' } as const;
const points = { decimals: '.' } as const;

const same: [before: string, after: string, reading?: CellCompareOptions][] = [
  ['Lamp', ' Lamp '],
  ['one\r\ntwo', 'one\ntwo'],
  ['one\ntwo', 'one\rtwo'],
  ['1.50', '1.5', points],
  ['1.50', '1,5', points],
  ['1.50', '1,50 €', points],
  ['$1,234.50', '1234.5', points],
  ['1.299,00', '1299', commas],
  ['1.299,00', '1.299,00 €', commas],
  ['1.299,00', '1.299', commas],
  ['1299', '1,299', points],
  ['1299', '1.299', { decimals: '.', given: ',' }],
  ['EUR 10', '10,00 €', points],
  ['1.250', '1.25'],
  ['1.250', '1,25'],
  ['(5)', '-5'],
  ['+5', '5'],
  ['5.0%', '5.00%'],
  ['00012345', '12345'],
  ['007', '7'],
  ['123456789012', '1.23457E+11'],
  ['123456789012', '1,23457E+11'],
  ['8809530410015', '8.80953E+12'],
  ['12E5', '1.20E+06'],
  ['12345678901234567890', '12345678901234500000'],
  ['12345678901234567890', '12345678901234600000'],
  ['0.123456789012', '0.123456789'],
  ['12345.678901', '12345.6789'],
  ['true', 'TRUE'],
  ['TRUE', 'WAHR'],
  ['false', 'FAUX'],
  ['16:9', '16:09:00'],
  ['16:9', '04:09:00 PM'],
  ['12:30', '12:30:00 PM'],
  ['0:05', '12:05:00 AM'],
  ['$5.00', '5 USD'],
  ['Größe 漢字', 'Größe ??', lossy],
  ['Škoda ā', 'Škoda a', lossy],
  ['x'.repeat(40_000), 'x'.repeat(32_767)],
];

test.each(same)('%s that comes back as %s is the same', (before, after, reading) => {
  expect(compareCell(before, after, reading)).toBe('same');
});

const changed: [before: string, after: string, reading?: CellCompareOptions][] = [
  ['Lamp', 'lamp'],
  ['Lamp', ''],
  ['', 'Lamp'],
  ['0', ''],
  ['1299', '1,299', { decimals: '.', given: ',' }],
  ['Top 10', '10'],
  ['Cup 0', 'New Cup 0'],
  ['5', '5 €'],
  ['10.00 €', '$10.00', points],
  ['$10.00', 'EUR 10.00', points],
  ['$10.00', '£10.00', points],
  ['16:9', '04:09:00 AM'],
  ['EUR 10.00', 'USD 10.00', points],
  ['12.50', '12.60', points],
  ['5', '-5'],
  ['5', '5%'],
  ['00012345', '12346'],
  ['123456789012', '1.23458E+11'],
  ['0.123456789012', '0.1234'],
  ['true', 'false'],
  ['true', 'yes'],
  ['16:9', '16:10'],
  ['Größe 漢字', 'Größe ??'],
  ['Café', 'Cafe', lossy],
  ['Café', 'Caf?', lossy],
  ['Lamp', '2026-03-04'],
  ['=Lamp=', '=Light='],
];

test.each(changed)('%s that comes back as %s was changed', (before, after, reading) => {
  expect(compareCell(before, after, reading)).toBe('changed');
});

test.each<[string, string, CellCompareOptions?]>([
  ['1299', '1.299', points],
  ['1.299', '1299', points],
  ['1,299', '1.2990', points],
  ['1.5', '1,500', points],
  ['1.250', '1250'],
  ['1250', '1.250'],
  ['1,250', '1250'],
])('%s that comes back as %s may be the same', (before, after, reading) => {
  expect(compareCell(before, after, reading)).toBe('unclear');
});

test.each([
  ['3/4', '04. Mrz'],
  ['3/4', '4-Mar'],
  ['1-2', '01.02.2026'],
  ['12.50', 'Dez 50'],
  ['MAR-24', 'Mar-24x'.slice(0, 6).toLowerCase()],
  ['SEPT2', '2-Sep'],
  ['2026-03-04', '3/4/2026'],
  ['3/4', '2026-03-04 00:00:00'],
])('%s that comes back as %s was made a date', (before, after) => {
  expect(compareCell(before, after)).toBe('date');
});

test.each(['=A2*1.2', '#NAME?', '#WERT!', '######', 'Err:508'])('%s is no value', (after) => {
  expect(compareCell('12.50', after)).toBe('formula');
});
