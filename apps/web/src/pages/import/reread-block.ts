import { canDo } from '@draftshelf/domain/import-status';
import type { ShownImport } from '../../api/imports.ts';

/** Why an import's file cannot be read anew now; null when it can (decision P5). */
export function rereadBlock({ status, failedIn }: Pick<ShownImport, 'status' | 'failedIn'>): string | null {
  if (status === 'failed' && failedIn === 'push') {
    return 'The push failed. Retry it first; the file can be read anew when the push has ended.';
  }
  if (canDo('reread', status)) return null;
  if (status === 'processing') return 'The file is being read. It can be read anew when that has ended.';
  if (status === 'uploading')
    return 'Products are being pushed. The file can be read anew when that has ended.';
  if (status === 'paused')
    return 'The import is paused. Resume it; the file can be read anew when it has ended.';
  if (status === 'cancelled') return 'The import was cancelled. Upload the file again to read it otherwise.';
  return 'The file cannot be read anew now.';
}
