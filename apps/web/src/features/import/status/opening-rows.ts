import type { ShownImport } from '../imports-api.ts';

export type OpenedImport = Pick<ShownImport, 'status' | 'warningProducts' | 'errorProducts'>;

/** Rows that need the operator while the import waits for a review, else all. */
export function openingFilter(
  { status, warningProducts, errorProducts }: OpenedImport,
  open = warningProducts + errorProducts,
): { class?: 'needs-you' } {
  return status === 'queued' && open > 0 ? { class: 'needs-you' } : {};
}
