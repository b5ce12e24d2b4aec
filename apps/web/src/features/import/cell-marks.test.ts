import { expect, test } from 'vitest';
import { findFieldToEdit, findMark, findProblemField, hasProblemIn, needsOperator } from './cell-marks.ts';

const issue = (code: string, field: string | null) => ({ code, field, message: `${code}.` });

test.each([
  ['a missing title', [issue('title-missing', 'title')], 'title', { kind: 'missing' }],
  ['a price that is text', [issue('price-not-numeric', 'price')], 'price', { kind: 'bad' }],
  ['a wrong check digit', [issue('upc-check-digit', 'upc')], 'upc', { kind: 'note' }],
  ['a duplicate', [issue('duplicate', 'upc')], 'upc', { kind: 'note' }],
  ['a parent without a price', [issue('parent-without-price', 'price')], 'price', { kind: 'unneeded' }],
  ['a code of a newer server', [issue('of-tomorrow', 'vendor')], 'vendor', { kind: 'note' }],
] as const)('%s marks its cell', (_name, issues, field, mark) => {
  expect(findMark({ issues: [...issues], values: {} }, field)).toMatchObject(mark);
  expect(findMark({ issues: [...issues], values: {} }, 'quantity')).toBeNull();
});

test('a value needs a fix if it keeps the row from being valid', () => {
  const issues = [issue('price-not-numeric', 'price'), issue('upc-check-digit', 'upc'), issue('left', null)];
  expect(hasProblemIn({ issues }, ['title', 'price'])).toBe(true);
  expect(hasProblemIn({ issues }, ['title', 'upc'])).toBe(false);
  expect(hasProblemIn({ issues }, [])).toBe(false);
});

test('an edit begins with what keeps the row from being valid, else with what is noted', () => {
  const issues = [issue('title-too-long', 'title'), issue('price-missing', 'price')];
  expect(findProblemField({ issues })).toBe('price');
  expect(findFieldToEdit({ issues })).toBe('price');
  expect(findFieldToEdit({ issues: [issue('upc-check-digit', 'upc')] })).toBe('upc');
  const repeated = { issues: [issue('duplicate', 'sku')] };
  expect(findProblemField(repeated)).toBeNull();
  expect(findFieldToEdit(repeated)).toBe('sku');
  // Rows that are filtered by one of their issues.
  expect(findFieldToEdit({ issues }, undefined, 'title-too-long')).toBe('title');
  expect(findFieldToEdit({ issues }, ['price'], 'title-too-long')).toBe('price');
  expect(findFieldToEdit({ issues }, undefined, 'check')).toBe('price');
  // A table without the column.
  expect(findFieldToEdit(repeated, ['title', 'price'])).toBe('title');
});

test('a parent without a price asks nothing of the operator', () => {
  const named = (price: string) => findMark({ issues: [issue('parent', null)], values: { price } }, 'price');
  expect(named('$0.00')).toMatchObject({ kind: 'unneeded' });
  expect(named('9.00')).toBeNull();
  const row = { class: 'warning', leftOut: false, issues: [issue('parent-without-price', 'price')] } as const;
  const parent = { ...row, issues: [...row.issues] };
  expect(needsOperator(parent)).toBe(false);
  expect(findProblemField(parent)).toBeNull();
  expect(findFieldToEdit(parent)).toBe('title');
  const lacking = { ...row, issues: [issue('price-missing', 'price')] };
  expect(needsOperator(lacking)).toBe(true);
  expect(needsOperator({ ...lacking, leftOut: true })).toBe(false);
  expect(needsOperator({ ...row, class: 'valid', issues: [] })).toBe(false);
});
