import type { ShownImport } from '../../api/imports.ts';

/** The fields of an import that decide which of its rows its page opens on. */
export type OpenedImport = Pick<ShownImport, 'status' | 'warningProducts' | 'errorProducts'>;

/** The rows that an import's page opens on: those that need the operator while it waits for a review, else all. */
export function openingFilter({ status, warningProducts, errorProducts }: OpenedImport): {
  class?: 'needs-you';
} {
  return status === 'queued' && warningProducts + errorProducts > 0 ? { class: 'needs-you' } : {};
}
