import type { ShownImport } from '../imports-api.ts';

/** The fields of an import that decide on which rows its page opens. */
export type OpenedImport = Pick<ShownImport, 'status' | 'warningProducts' | 'errorProducts'>;

/**
 * The rows that an import's page opens on: those that need the operator while it waits for a review, else all. `open`:
 * the products that need the operator; where that is not known, those with a problem.
 */
export function openingFilter(
  { status, warningProducts, errorProducts }: OpenedImport,
  open = warningProducts + errorProducts,
): { class?: 'needs-you' } {
  return status === 'queued' && open > 0 ? { class: 'needs-you' } : {};
}
