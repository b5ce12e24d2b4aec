import type { ShownImport } from '../../api/imports.ts';

/** What is cancelled: while a file is read anew that only, since the import itself is whole. */
export function cancelLabel({ rereading }: Pick<ShownImport, 'rereading'>): string {
  return rereading === null ? 'Cancel Import' : 'Cancel Re-read';
}
