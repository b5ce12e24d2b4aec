import { expect, test } from 'vitest';
import { buildDraftProduct } from '../products/draft-product.ts';
import { issuesIn } from '../review/issue-set.ts';
import { validateRow } from '../review/validate-row.ts';
import { losesDecimals, quantityToSend, readQuantity } from './quantity.ts';

test.each([
  ['7', 7],
  ['007', 7],
  ['5.0', 5],
  ['5.9', 5],
  ['1,200', 1200],
  ['-3', -3],
  [' - 3', -3],
  ['-0.5', 0],
  ['1234567890', 1_234_567_890],
  ['default=100', 100],
  ['default=100,annex=20', 120],
  ['many', null],
  ['12 pcs', null],
  ['default=100,annex=many', null],
  ['-', null],
])('%j is the quantity %j', (text, expected) => {
  expect(readQuantity(text)).toBe(expected);
  expect(quantityToSend(text)).toBe(expected ?? 0);
  // The issue of a row follows from what is sent.
  const values = { title: 'Vase', price: '1', quantity: text };
  const built = buildDraftProduct([values], { draftMode: true, importSource: 'test', currency: 'CAD' });
  expect(built.ok && built.product.variants[0]?.inventory_quantity).toBe(expected ?? 0);
  const issue = losesDecimals(text)
    ? ['quantity-loose']
    : expected === null
      ? ['quantity-not-numeric']
      : expected < 0
        ? ['quantity-negative']
        : [];
  expect(issuesIn(validateRow(values, {}).issues)).toEqual(issue);
  // A quantity that is not tracked is not sent.
  expect(validateRow({ ...values, trackQuantity: 'none' }, {}).issues).toBe(0);
});

test('a missing quantity is 0', () => expect(quantityToSend(undefined)).toBe(0));
