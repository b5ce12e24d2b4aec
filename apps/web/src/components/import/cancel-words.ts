import type { ShownImport } from '../../api/imports.ts';

/** The label of the cancel button. During a re-read it cancels only the re-read. */
export function cancelLabel({ rereading }: Pick<ShownImport, 'rereading'>): string {
  return rereading === null ? 'Cancel Import' : 'Cancel Re-read';
}
