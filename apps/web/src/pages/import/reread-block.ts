import { canDo, hasPushedNothing } from '@draftshelf/domain/import-status';
import type { ShownImport } from '../../api/imports.ts';

/** Why an import's file cannot be re-read now; null if it can. */
export function rereadBlock({
  status,
  failedIn,
  totalProducts: total,
  outcomes: { skipped, failed },
}: Pick<ShownImport, 'status' | 'failedIn' | 'totalProducts' | 'outcomes'>): string | null {
  if (status === 'failed' && failedIn === 'push' && !hasPushedNothing({ total, skipped, failed })) {
    return 'The push failed. Retry it before re-reading the file.';
  }
  if (canDo('reread', status)) return null;
  if (status === 'processing') return 'The file is still being read. Wait until that’s done.';
  if (status === 'uploading') return 'Products are being pushed. You can re-read the file afterwards.';
  if (status === 'paused') return 'The import is paused. Resume it and let it finish first.';
  if (status === 'cancelled')
    return 'This import was cancelled. Upload the file again to use other settings.';
  return 'The file can’t be re-read right now.';
}
