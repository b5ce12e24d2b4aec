import { expect, test } from 'vitest';
import { isTaken, StoreUnavailable, userErrorsToError } from './store-errors.ts';

const at = { nowMs: Date.parse('2026-11-20T22:30:00Z'), hadNoEffect: true };
const error = (code: string | null, message: string, field = ['input', 'title']) => [
  { code, field, message },
];

test('no userErrors mean no error', () => {
  expect(userErrorsToError([], at)).toBeNull();
});

test('a refusal names its field and keeps the store’s own message', () => {
  const refused = userErrorsToError(error('INVALID_PRODUCT', 'is too long (maximum is 255 characters)'), at);
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
  expect(userErrorsToError(error('GENERIC_ERROR', 'Something went wrong'), at)).toMatchObject({
    reason: 'fault',
  });
  expect(userErrorsToError(error('JOB_ERROR', 'Error'), at)).toMatchObject({ reason: 'fault' });
  const mixed = [...error('GENERIC_ERROR', 'Something went wrong'), ...error('INVALID_VARIANT', 'No')];
  expect(userErrorsToError(mixed, at)).not.toBeInstanceOf(StoreUnavailable);
});

test('the daily limit waits for midnight UTC', () => {
  const said = 'Daily variant creation limit reached. Please try again later.';
  expect(userErrorsToError(error(null, said), at)).toMatchObject({
    reason: 'daily-limit',
    waitMs: 5_400_000,
  });
});

test('a taken id is recognized', () => {
  expect(isTaken(userErrorsToError(error('CAPABILITY_VIOLATION', 'Value must be unique'), at))).toBe(true);
  expect(isTaken(userErrorsToError(error('INVALID_VARIANT', 'No'), at))).toBe(false);
});
