import type { ShownScanned } from './scanner-api.ts';

export type LibraryFilters = { search: string; status: string };

export const statusChoices = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'synced', label: 'Synced' },
] as const;

export const filtersOf = (address: URLSearchParams): LibraryFilters => ({
  search: address.get('q') ?? '',
  status: address.get('status') ?? '',
});

export const isFiltered = ({ search, status }: LibraryFilters): boolean =>
  search.trim() !== '' || status !== '';

export type Opened = { kind: 'new' } | { kind: 'product'; id: string };

const newName = 'new';
const productName = 'product';

export function openedOf(address: URLSearchParams): Opened | null {
  const id = address.get(productName);
  if (id !== null && id !== '') return { kind: 'product', id };
  return address.has(newName) ? { kind: 'new' } : null;
}

export function addressOf({ search, status }: LibraryFilters, opened: Opened | null = null): URLSearchParams {
  const address = new URLSearchParams();
  if (search !== '') address.set('q', search);
  if (status !== '') address.set('status', status);
  if (opened?.kind === 'new') address.set(newName, '');
  if (opened?.kind === 'product') address.set(productName, opened.id);
  return address;
}

export const hasStatus = (product: ShownScanned, { status }: LibraryFilters): boolean =>
  status === '' || product.status === status;
