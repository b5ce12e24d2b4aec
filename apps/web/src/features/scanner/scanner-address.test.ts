import { expect, it } from 'vitest';
import { addressOf, filtersOf, readOpenForm } from './scanner-api.ts';

it('filters and what is open survive in the address', () => {
  const filters = { search: 'vase & lamp', status: 'active' };
  const address = new URLSearchParams(addressOf(filters, { kind: 'product', id: 'a b' }).toString());
  expect(filtersOf(address)).toEqual(filters);
  expect(readOpenForm(address)).toEqual({ kind: 'product', id: 'a b' });
  expect(readOpenForm(addressOf(filters, { kind: 'new' }))).toEqual({ kind: 'new' });
  expect(readOpenForm(addressOf(filters))).toBeNull();
  expect(addressOf({ search: '', status: '' }).toString()).toBe('');
});
