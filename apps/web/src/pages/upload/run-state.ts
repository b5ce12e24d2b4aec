import type { ShownImport } from '../../api/imports.ts';
import type { Sent, UploadResult } from '../../api/upload.ts';
import type { ToastRequest } from '../../components/feedback/toast-state.ts';
import { countOf, formatCount } from '../../lib/intl.ts';

type Target = { filename: string; fileBytes: number };

/** The state of the current upload. */
export type RunState =
  | { phase: 'none' }
  | ({ phase: 'sending'; sent: Sent } & Target)
  | ({ phase: 'processing'; reply: UploadResult } & Target)
  | ({ phase: 'ended'; reply: UploadResult; job: ShownImport | null } & Target)
  | ({ phase: 'failed'; message: string; cause: string | null } & Target);

/** The notification when an import leaves `processing`. The specification fixes the texts for success. */
export function uploadToast(
  reply: Pick<UploadResult, 'totalProducts' | 'testMode'>,
  job: Pick<ShownImport, 'status' | 'filename' | 'errorMessage' | 'totalProducts'> | null,
): ToastRequest {
  if (job?.status === 'failed') {
    return { title: 'Upload Failed', text: job.errorMessage ?? 'Upload failed', tone: 'failure' };
  }
  if (job?.status === 'cancelled') {
    return {
      title: 'Processing Cancelled',
      text: `${job.filename} was cancelled before processing finished.`,
    };
  }
  const products = job?.totalProducts ?? reply.totalProducts;
  if (reply.testMode) {
    return {
      title: 'Test Mode Complete!',
      text: `Test completed: ${formatCount(products)} products analyzed. Check console for detailed logs.`,
    };
  }
  return {
    title: 'CSV Processing Complete!',
    text: `${formatCount(products)} products processed and queued. Go to Queue tab to review before pushing to Shopify.`,
  };
}

/** The label of the upload button, as specified: 'Upload 48 Products'. */
export function uploadLabel(validProducts: number): string {
  return `Upload ${formatCount(validProducts)} Products`;
}

/** 'Rows 201–400 of 450'. */
export function rowRange(page: number, perPage: number, total: number): string {
  if (total === 0) return countOf(0, 'row');
  const first = (page - 1) * perPage + 1;
  return `Rows ${formatCount(first)}–${formatCount(Math.min(page * perPage, total))} of ${formatCount(total)}`;
}
