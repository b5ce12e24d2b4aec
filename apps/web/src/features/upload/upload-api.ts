import { endpointOf } from '@draftshelf/contract/paths';
import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import type { UploadReply } from '@draftshelf/contract/reading/upload';
import {
  fileBytesMaxMeta,
  newSupplier,
  uploadDialectField,
  uploadFileDateField,
  uploadFileFields,
  uploadMappingField,
  uploadReadingsField,
  uploadSupplierField,
} from '@draftshelf/contract/wire';
import { fileBytesMaxDefault } from '@draftshelf/csv/limits';
import type { ColumnChoices } from '@draftshelf/domain/reading/mapping/mapping-memory';
import { isPartialList } from '@draftshelf/domain/suppliers/is-partial-list';
import { queryOptions } from '@tanstack/react-query';
import { CallError, call, parseReply, type Reply, sendBody, toCacheKey } from '../../api/call.ts';
import type { Preview } from './preview/preview.ts';

/** The result of an upload, with null for fields that a reply may lack. */
export type UploadResult = Pick<UploadReply, 'totalProducts' | 'testMode'> & {
  id: string | null;
  totalRows: number | null;
  sameAs: string | null;
};

/** Returns the server's limit for a file, which the server writes into the page. */
export const readFileBytesMax = (): number =>
  parseBytesMax(document.querySelector<HTMLMetaElement>(`meta[name="${fileBytesMaxMeta}"]`)?.content);

/** Returns the limit in `content`, or the default if `content` is no number. */
export const parseBytesMax = (content: string | undefined): number => Number(content) || fileBytesMaxDefault;

export type UploadOptions = {
  enableUpc: boolean;
  enableAi: boolean;
  testMode: boolean;
  /** Overrides of the dialect. All other parts are detected. */
  dialect?: DialectChoice;
  /** Overrides of the mapping. If absent, the server uses those that it remembers for the file's headers. */
  mapping?: ColumnChoices | undefined;
  /** A supplier's id, or the name of a new one. Null: the server detects the supplier. */
  supplier?: string | null;
};

/** Returns the form of an upload. Options are the strings 'true' and 'false'. */
export function buildUploadForm(file: File, options: UploadOptions): FormData {
  const form = new FormData();
  form.set('enableUPC', String(options.enableUpc));
  form.set('enableAI', String(options.enableAi));
  if (options.testMode) form.set('testMode', 'true');
  // The server parses the file while it arrives, so dialect and mapping come before the file.
  const { dialect = {}, mapping, supplier = null } = options;
  if (Object.keys(dialect).length > 0) form.set(uploadDialectField, JSON.stringify(dialect));
  if (mapping !== undefined) {
    form.set(uploadMappingField, JSON.stringify(mapping.columns));
    form.set(uploadReadingsField, JSON.stringify(mapping.readings));
  }
  if (supplier !== null) form.set(uploadSupplierField, supplier);
  form.set(uploadFileDateField, new Date(file.lastModified).toISOString());
  form.set(uploadFileFields[0], file);
  return form;
}

/** Once `whole` is true, the server may create the import even if the upload is aborted. */
export type SentBytes = { bytes: number; whole: boolean };

/** Maximum wait between two attempts, even if the server demands a longer one. */
const waitMsMax = 30_000;

/**
 * Uploads a file. If the server refuses because it receives too many other files, this waits and retries. No upload
 * library is used, because a retry must never send the file twice. Rejects like `sendBody`.
 */
export async function sendCsvWhenFree(
  file: File,
  options: UploadOptions,
  onSent: (sent: SentBytes) => void,
  signal: AbortSignal,
): Promise<UploadResult> {
  const { method, path } = endpointOf('uploadCsv');
  for (;;) {
    try {
      const reply = await sendBody(method, path, buildUploadForm(file, options), {
        onSent: (bytes, whole) => onSent({ bytes: Math.min(bytes, file.size), whole }),
        signal,
      });
      return { ...{ id: null, totalRows: null, sameAs: null }, ...parseReply('uploadCsv', reply) };
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 429 || error.retryAfterMs === null) throw error;
      onSent({ bytes: 0, whole: false });
      await waitFor(Math.min(error.retryAfterMs, waitMsMax), signal);
    }
  }
}

/** Rejects with the signal's reason if aborted. */
const waitFor = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
    if (signal.aborted) reject(signal.reason);
  });

export type FoundSupplier = Reply<'findSupplier'>;

/** Returns the query for a file's supplier. The query needs the keys of the whole file, so it waits for the hash. */
export function supplierQuery(filename: string, preview: Preview | null, sha256: string | null) {
  const { headers = [], items = [], dialect, mapping } = preview ?? {};
  return queryOptions<FoundSupplier>({
    queryKey: toCacheKey('findSupplier', {}, { filename, sha256, dialect, sources: mapping?.sources }),
    queryFn: ({ signal }) => call('findSupplier', { body: { filename, headers, items }, signal }),
    enabled: sha256 !== null && items.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Whether a file without titles is read as a list of prices and stock, because its supplier is known or chosen. */
export const isReadAsPartialList = (
  { mapping }: Preview,
  found: FoundSupplier | undefined,
  chosen: string | null,
): boolean =>
  isPartialList(mapping) && (found?.is === 'certain' || (chosen !== null && chosen !== newSupplier));
