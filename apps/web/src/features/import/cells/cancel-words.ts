import type { ShownImport } from '../imports-api.ts';

/** The label of the cancel button. During a re-read or the undo of a push it cancels only that. */
export function cancelLabel({ rereading, isUndoing }: Pick<ShownImport, 'rereading' | 'isUndoing'>): string {
  if (isUndoing) return 'Cancel Undo';
  return rereading === null ? 'Cancel Import' : 'Cancel Re-read';
}
