import type { ShownImport } from '../../api/imports.ts';
import type { Sent, UploadAnswer } from '../../api/upload.ts';
import type { ToastRequest } from '../../components/feedback/toast-state.ts';
import { countOf, formatCount } from '../../lib/intl.ts';

type Target = { filename: string; fileBytes: number };

/** Where the one upload of this page stands. */
export type RunState =
  | { phase: 'none' }
  | ({ phase: 'sending'; sent: Sent } & Target)
  | ({ phase: 'processing'; answer: UploadAnswer } & Target)
  | ({ phase: 'ended'; answer: UploadAnswer; job: ShownImport | null } & Target)
  | ({ phase: 'failed'; message: string; cause: string | null } & Target);

/** What is said when an import has left `processing`; the successes read as in the specification. */
export function uploadToast(
  answer: Pick<UploadAnswer, 'totalProducts' | 'testMode'>,
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
  const products = job?.totalProducts ?? answer.totalProducts;
  if (answer.testMode) {
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

/** 'Upload 48 Products': the label of the button, in the specification's form. */
export function uploadLabel(validProducts: number): string {
  return `Upload ${formatCount(validProducts)} Products`;
}

/** 'Rows 201–400 of 450'. */
export function rowRange(page: number, perPage: number, total: number): string {
  if (total === 0) return countOf(0, 'row');
  const first = (page - 1) * perPage + 1;
  return `Rows ${formatCount(first)}–${formatCount(Math.min(page * perPage, total))} of ${formatCount(total)}`;
}
