import { CallError } from '../../../api/call.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { importPath } from '../../../lib/paths.ts';
import type { ToastRequest } from '../../../ui/feedback/toast-state.ts';
import type { ShownImport } from '../../import/index.ts';
import type { UploadResult } from '../upload-api.ts';
import type { Upload } from './uploads.ts';

/** The notification when uploads have ended: the specification's for one file, a summary for several. */
export function uploadsToast(uploads: readonly Upload[]): ToastRequest {
  const [upload, ...others] = uploads;
  if (upload === undefined || others.length > 0) return toastOfSeveral(uploads);
  if (upload.phase === 'failed') return { title: 'Upload Failed', text: upload.message, tone: 'failure' };
  if (upload.phase !== 'ended') throw new Error(`The upload of ${upload.filename} has not ended`);
  const { id } = upload.reply;
  const toast = uploadToast(upload.reply, upload.record);
  return id === null ? toast : { ...toast, link: { to: importPath(id), words: 'Open import' } };
}

/** The notification when an import leaves `processing`. The specification fixes the texts for success. */
export function uploadToast(
  reply: Pick<UploadResult, 'totalProducts' | 'testMode'>,
  record: Pick<ShownImport, 'status' | 'filename' | 'errorMessage' | 'totalProducts'> | null,
): ToastRequest {
  if (record?.status === 'failed') {
    return { title: 'Upload Failed', text: record.errorMessage ?? 'Upload failed', tone: 'failure' };
  }
  if (record?.status === 'cancelled') {
    return {
      title: 'Processing cancelled',
      text: `${record.filename} was cancelled before processing finished.`,
    };
  }
  const products = record?.totalProducts ?? reply.totalProducts;
  if (reply.testMode) {
    return {
      title: 'Test Mode Complete!',
      text: `Test completed: ${countOf(products, 'product')} analyzed. Check console for detailed logs.`,
    };
  }
  return {
    title: 'CSV Processing Complete!',
    text: `${countOf(products, 'product')} processed and queued. Go to Queue tab to review before pushing to Shopify.`,
  };
}

/** As specified: the server's message, 'Upload failed' for other replies, 'Fast upload failed' if there is none. */
export function uploadFailure(error: unknown): string {
  if (error instanceof CallError) return error.serverMessage ?? 'Upload failed';
  return (error instanceof Error && error.message) || 'Fast upload failed';
}

const namedMax = 3;

function toastOfSeveral(uploads: readonly Upload[]): ToastRequest {
  const failures = uploads.filter((upload) => upload.phase !== 'ended' || isLost(upload.record));
  const successes = uploads.filter((upload) => !failures.includes(upload));
  const link = { to: '/queue', words: 'Open queue' };
  let products = 0;
  for (const upload of successes) {
    if (upload.phase === 'ended') products += upload.record?.totalProducts ?? upload.reply.totalProducts;
  }
  const files = `${countOf(successes.length, 'file')} processed and queued, with ${countOf(products, 'product')}.`;
  if (failures.length === 0) {
    const next = 'Go to Queue tab to review before pushing to Shopify.';
    return { title: 'CSV Processing Complete!', text: `${files} ${next}`, link };
  }
  const names = failures.slice(0, namedMax).map(({ filename }) => filename);
  const more = failures.length > namedMax ? ` and ${formatCount(failures.length - namedMax)} more` : '';
  return {
    title: 'Upload Failed',
    text: [`${countOf(failures.length, 'file')} not processed: ${names.join(', ')}${more}.`, files],
    tone: 'failure',
    link,
  };
}

const isLost = (record: ShownImport | null) => record?.status === 'failed' || record?.status === 'cancelled';
