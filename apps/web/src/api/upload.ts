import { type DialectChoice, uploadDialectField } from '@draftshelf/contract/dialect';
import { route } from '@draftshelf/contract/route';
import { fileBytesMaxMeta, UploadReply, uploadCsv, uploadFileFields } from '@draftshelf/contract/upload';
import { fileBytesMaxDefault } from '@draftshelf/csv/limits';
import { z } from 'zod';
import { callErrorOf, parseReply } from './call.ts';

/** The reply as the screen reads it: the specification's two fields are enough, ours have defaults (decision C12). */
const UploadAnswer = UploadReply.extend({
  id: z.string().nullable().default(null),
  totalRows: z.number().nullable().default(null),
  sameAs: z.string().nullable().default(null),
});
export type UploadAnswer = z.infer<typeof UploadAnswer>;
const sendRoute = route({ ...uploadCsv, reply: UploadAnswer });

/** The largest file that this server takes (decision O22), as it wrote it into the page. */
export function fileBytesMax(): number {
  return bytesMaxOf(document.querySelector<HTMLMetaElement>(`meta[name="${fileBytesMaxMeta}"]`)?.content);
}

/** A limit as the page tells it; the product's default for anything that is no number of bytes. */
export function bytesMaxOf(told: string | undefined): number {
  return Number(told) || fileBytesMaxDefault;
}

export type UploadOptions = {
  enableUpc: boolean;
  enableAi: boolean;
  testMode: boolean;
  /** How the operator says the file is written; the rest is judged. */
  dialect?: DialectChoice;
};

/** Whether a file is taken for a CSV: by its type or by its name (product-spec section 5). */
export function isCsvFile(file: { name: string; type: string }): boolean {
  return file.type === 'text/csv' || file.name.toLowerCase().endsWith('.csv');
}

/** The form of an upload; the options go as the strings 'true' and 'false' (decision C17). */
export function uploadForm(file: File, options: UploadOptions): FormData {
  const form = new FormData();
  form.set('enableUPC', String(options.enableUpc));
  form.set('enableAI', String(options.enableAi));
  if (options.testMode) form.set('testMode', 'true');
  // The server reads the file as it comes in: what it must know stands before it.
  const { dialect = {} } = options;
  if (Object.keys(dialect).length > 0) form.set(uploadDialectField, JSON.stringify(dialect));
  form.set(uploadFileFields[0], file);
  return form;
}

/** How far the sending has come; once all of it is sent, there may be an import whatever the sender does. */
export type Sent = { bytes: number; whole: boolean };

/**
 * Sends a CSV file, telling how much of it has gone. An XMLHttpRequest, because fetch tells no progress of what it
 * sends; and no upload library, because one file in one request must never be sent twice by a retry.
 * Rejects with CallError when the server refuses, with an Error without a message when it is not reached, and with
 * the signal's reason when it is aborted.
 */
export function sendCsv(
  file: File,
  options: UploadOptions,
  onSent: (sent: Sent) => void,
  signal: AbortSignal,
): Promise<UploadAnswer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(uploadCsv.method, uploadCsv.path);
    request.withCredentials = true;
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onSent({ bytes: Math.min(loaded, file.size), whole: loaded === total }),
    );
    request.addEventListener('load', () => {
      if (request.status < 200 || request.status > 299) {
        reject(callErrorOf(request.status, request.statusText, request.responseText));
        return;
      }
      try {
        resolve(parseReply(sendRoute, request.responseText));
      } catch (error) {
        reject(error);
      }
    });
    request.addEventListener('error', () => reject(new Error('')));
    request.addEventListener('abort', () => reject(signal.reason));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(uploadForm(file, options));
  });
}
