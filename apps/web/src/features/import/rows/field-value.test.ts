import { expect, test } from 'vitest';
import { formatCellValue } from './field-value.tsx';

test.each([
  ['7', '7'],
  ['12000', '12,000'],
  ['default=100', '100'],
  ['default=100,annex=20', '120'],
  ['10.0', '10'],
  ['3.7', '3.7 → 3'],
  ['a=1.5,b=1.5', '3'],
  ['', ''],
  ['on request', 'on request'],
  ['99999999999999999999', '99999999999999999999'],
])('shows the quantity %j as %j', (value, shown) => {
  expect(formatCellValue('quantity', value)).toBe(shown);
});

test.each([
  ['price', '12,5', '$12.50'],
  ['cost', '3', '$3.00'],
  ['cost', 'ask', 'ask'],
  ['sku', 'default=100', 'default=100'],
  ['description', '<p>Made of <b>oak</b></p>', 'Made of  oak'],
] as const)('shows the %s %j as %j', (field, value, shown) => {
  expect(formatCellValue(field, value)).toBe(shown);
});
