import { expect, test } from 'vitest';
import { openingFilter } from './opening-rows.ts';

test.each([
  ['queued', 2, 1, { class: 'needs-you' }],
  ['queued', 0, 1, { class: 'needs-you' }],
  // A folder's import waits for a review although nothing is wrong.
  ['queued', 0, 0, {}],
  // Marked as ready: the operator has seen them.
  ['processed', 2, 1, {}],
  ['completed', 2, 1, {}],
  ['processing', 2, 1, {}],
])('%s with %i warnings and %i errors', (status, warningProducts, errorProducts, filter) =>
  expect(openingFilter({ status, warningProducts, errorProducts })).toEqual(filter),
);

test('rows that were left out do not open the list of those that need the operator', () => {
  const record = { status: 'queued', warningProducts: 1, errorProducts: 0 };
  expect(openingFilter(record, 0)).toEqual({});
  expect(openingFilter(record, 1)).toEqual({ class: 'needs-you' });
});
