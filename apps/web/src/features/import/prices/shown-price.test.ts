import { expect, test } from 'vitest';
import { shownPrice } from './shown-price.ts';

test.each([
  ['46', 'EUR', '€46.00'],
  ['12,5', 'GBP', '£12.50'],
  ['7', 'CAD', '$7.00'],
  ['7', undefined, '$7.00'],
  ['7', 'Euro', '$7.00'],
  ['', 'EUR', '€0.00'],
  ['€ 29.04', undefined, '€29.04'],
  ['29.04 EUR', 'CAD', '€29.04'],
])('shows a price of %j in %j as %j', (value, currency, shown) => {
  expect(shownPrice(value, currency)).toBe(shown);
});
