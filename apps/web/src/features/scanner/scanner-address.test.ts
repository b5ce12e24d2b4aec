import { expect, it } from 'vitest';
import { readLibraryFilters, readOpenForm, toLibraryParams } from './scanner-api.ts';

it('filters and what is open survive in the address', () => {
  const filters = { search: 'vase & lamp', status: 'active' };
  const address = new URLSearchParams(toLibraryParams(filters, { kind: 'product', id: 'a b' }).toString());
  expect(readLibraryFilters(address)).toEqual(filters);
  expect(readOpenForm(address)).toEqual({ kind: 'product', id: 'a b' });
  expect(readOpenForm(toLibraryParams(filters, { kind: 'new' }))).toEqual({ kind: 'new' });
  expect(readOpenForm(toLibraryParams(filters))).toBeNull();
  expect(toLibraryParams({ search: '', status: '' }).toString()).toBe('');
});
