import { expect, test } from 'vitest';
import type { UserError } from './replies.ts';
import { isIdTaken, type StoreRefused, StoreUnavailable, throwUserErrors } from './store-errors.ts';

const now = () => Date.parse('2026-11-20T22:30:00Z');
function thrownFor(userErrors: readonly UserError[]) {
  try {
    throwUserErrors({ now }, userErrors, { hadNoEffect: true });
    return null;
  } catch (thrown) {
    return thrown as StoreRefused | StoreUnavailable;
  }
}
const error = (code: string | null, message: string, field = ['input', 'title']) => [
  { code, field, message },
];

test('no userErrors mean no error', () => {
  expect(thrownFor([])).toBeNull();
});

test('a refusal names its field and keeps the store’s own message', () => {
  const refused = thrownFor(error('INVALID_PRODUCT', 'is too long (maximum is 255 characters)'));
  expect(refused?.message).toBe(
    'Shopify rejected the product: title is too long (maximum is 255 characters).',
  );
  expect(refused).toMatchObject({
    scope: 'request',
    code: 'INVALID_PRODUCT',
    detail: 'INVALID_PRODUCT input.title: is too long (maximum is 255 characters)',
    hadNoEffect: true,
  });
  expect(refused).not.toBeInstanceOf(StoreUnavailable);
});

test('only internal errors of the store may be solved by a retry', () => {
  expect(thrownFor(error('GENERIC_ERROR', 'Something went wrong'))).toMatchObject({
    reason: 'fault',
  });
  expect(thrownFor(error('JOB_ERROR', 'Error'))).toMatchObject({ reason: 'fault' });
  const mixed = [...error('GENERIC_ERROR', 'Something went wrong'), ...error('INVALID_VARIANT', 'No')];
  expect(thrownFor(mixed)).not.toBeInstanceOf(StoreUnavailable);
});

test('the daily limit waits for midnight UTC', () => {
  const said = 'Daily variant creation limit reached. Please try again later.';
  expect(thrownFor(error(null, said))).toMatchObject({
    reason: 'daily-limit',
    waitMs: 5_400_000,
  });
});

test('a taken id is recognized', () => {
  expect(isIdTaken(thrownFor(error('CAPABILITY_VIOLATION', 'Value must be unique')))).toBe(true);
  expect(isIdTaken(thrownFor(error('INVALID_VARIANT', 'No')))).toBe(false);
});
