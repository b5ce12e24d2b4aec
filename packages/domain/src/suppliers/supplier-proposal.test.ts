import { expect, test } from 'vitest';
import { formatEvidence } from './supplier-proposal.ts';

test.each([
  ['price', '100', 'CAD', 'was 100.00'],
  ['cost', '0.5', null, 'was 0.50'],
  ['price', '12.5 EUR', 'JPY', 'was 12.50 EUR'],
  ['price', '1200', 'JPY', 'was 1200'],
  ['compareAtPrice', '0.125', 'CAD', 'was 0.125'],
  ['price', 'on request', 'CAD', 'was on request'],
  ['quantity', '100', 'CAD', 'was 100'],
  ['price', '', 'CAD', 'was empty'],
])('%s: %j in %s', (field, saidOf, currency, words) => {
  expect(formatEvidence(field, saidOf, currency)).toBe(words);
});
