import { canDo, statusLabel } from '@draftshelf/domain/imports/import-status';
import type { ShownImport } from '../imports-api.ts';

/** Reason for not editing an import's rows now; null if they can be edited. */
export function editLock({ status }: Pick<ShownImport, 'status'>): string | null {
  if (canDo('edit', status)) return null;
  return `Rows can’t be edited while the import is ${statusLabel(status).toLowerCase()}.`;
}
