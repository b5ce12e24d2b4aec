import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { CallError, call, NoReplyError } from '../../../api/call.ts';
import { endSessionOn401 } from '../../../api/query-client.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { importPath } from '../../../lib/paths.ts';
import { type ToastRequest, toast } from '../../../ui/feedback/toast-state.ts';
import { useListener } from '../../../ui/hooks.ts';
import { type ShownImport, useImportOnce, useImportsUntil } from '../../import/index.ts';
import { sendCsvWhenFree, type UploadOptions, type UploadResult } from '../upload-api.ts';
import {
  addUploads,
  countProcessedProducts,
  fileGoneMessage,
  hasUnsentFiles,
  isFileGone,
  listNextToSend,
  listUnannounced,
  markAnnounced,
  removeAnnounced,
  removeUpload,
  setUploadPhase,
  type Upload,
  type UploadPhase,
  type UploadsChange,
} from './uploads.ts';

export type FileToSend = { file: File; options: UploadOptions };

type UploadRun = {
  /** Uploads since the page was loaded: running ones, and the last results. */
  uploads: readonly Upload[];
  /** Imports that are being processed. */
  imports: readonly ShownImport[];
  /** Starts uploads. Returns their ids in the order of the files. */
  start: (files: readonly FileToSend[]) => number[];
  retry: (id: number) => void;
  /** Aborts a running upload, so that the server keeps nothing of it, or removes the result of an ended upload. */
  drop: (id: number) => void;
  clear: () => void;
};

const UploadContext = createContext<UploadRun | null>(null);

export function useUploadRun(): UploadRun {
  const run = use(UploadContext);
  if (run === null) throw new Error('useUploadRun needs an UploadProvider above it');
  return run;
}

const noUploads: readonly Upload[] = [];

/** Files by upload id. `sending` aborts the request; null if the file is not being sent. */
type Sources = Map<number, FileToSend & { sending: AbortController | null }>;

/** Continues uploads while other screens are open, and shows one notification when all have ended. */
export function UploadProvider({ children }: { children: ReactNode }) {
  const [uploads, change] = useState(noUploads);
  const sources = useRef<Sources>(new Map());
  const nextId = useRef(1);

  const start = useCallback((files: readonly FileToSend[]) => {
    const targets = files.map((source) => {
      const id = nextId.current++;
      sources.current.set(id, { ...source, sending: null });
      return { id, filename: source.file.name, fileBytes: source.file.size };
    });
    change(addUploads(targets));
    return targets.map(({ id }) => id);
  }, []);
  const retry = useCallback((id: number) => change(setUploadPhase(id, { phase: 'waiting' })), []);
  const drop = useCallback((id: number) => {
    sources.current.get(id)?.sending?.abort();
    sources.current.delete(id);
    change(removeUpload(id));
  }, []);
  const clear = useCallback(() => change(removeAnnounced), []);

  useSending(uploads, change, sources);
  useListener('window', 'beforeunload', (event) => event.preventDefault(), { isOn: hasUnsentFiles(uploads) });
  const imports = useEndOfProcessing(uploads, change);
  useEffect(() => {
    const results = listUnannounced(uploads);
    if (results.length === 0) return;
    toast(buildUploadsToast(results));
    change(markAnnounced);
  }, [uploads]);

  const run = useMemo(
    () => ({ uploads, imports, start, retry, drop, clear }),
    [uploads, imports, start, retry, drop, clear],
  );
  return <UploadContext value={run}>{children}</UploadContext>;
}

function useSending(
  uploads: readonly Upload[],
  change: (change: UploadsChange) => void,
  sources: RefObject<Sources>,
): void {
  const client = useQueryClient();
  useEffect(() => {
    for (const { id } of listNextToSend(uploads)) {
      const source = sources.current.get(id);
      if (source === undefined || source.sending !== null) continue;
      const controller = new AbortController();
      source.sending = controller;
      const { file, options } = source;
      const move = (to: UploadPhase) => change(setUploadPhase(id, to));
      move({ phase: 'sending', sent: { bytes: 0, whole: false } });
      sendCsvWhenFree(file, options, (sent) => move({ phase: 'sending', sent }), controller.signal).then(
        (reply) => {
          sources.current.delete(id);
          move({ phase: 'processing', reply });
        },
        async (error: unknown) => {
          source.sending = null;
          if (controller.signal.aborted) return;
          endSessionOn401(client, error);
          // Browsers report an unreachable server and an unreadable file by the same error.
          const isGone = !(error instanceof CallError) && (await isFileGone(file));
          const message = isGone ? fileGoneMessage : describeUploadFailure(error);
          const cause = isGone ? null : messageIn(error) || 'The server couldn’t be reached.';
          move({ phase: 'failed', message, cause });
        },
      );
    }
  }, [uploads, change, sources, client]);
}

/** Returns the error's message; '' if there is no reply. */
const messageIn = (error: unknown): string =>
  error instanceof Error && !(error instanceof NoReplyError) ? error.message : '';

const leftProcessing = (record: ShownImport): boolean =>
  record.status !== 'processing' && record.status !== 'paused';

/** Polls imports until they are processed. Returns the imports that are still being processed. */
function useEndOfProcessing(
  uploads: readonly Upload[],
  change: (change: UploadsChange) => void,
): readonly ShownImport[] {
  const ids = uploads.flatMap((upload) =>
    upload.phase === 'processing' && upload.reply.id !== null ? [upload.reply.id] : [],
  );
  const imports = useImportsUntil(ids, leftProcessing);
  useEffect(() => {
    for (const upload of uploads) {
      if (upload.phase !== 'processing') continue;
      const { id, reply } = upload;
      const record = imports.find((record) => record.id === reply.id) ?? null;
      if (reply.id !== null && (record === null || !leftProcessing(record))) continue;
      change(setUploadPhase(id, { phase: 'ended', reply, record }));
      if (reply.testMode && reply.id !== null) logAnalyzedRows(reply.id);
    }
  }, [uploads, imports, change]);
  return imports;
}

/** Returns the import as it is now: it may have been pushed since the upload ended. */
export const useImportNow = ({ reply, record }: Extract<Upload, { phase: 'ended' }>): ShownImport | null =>
  useImportOnce(reply.id) ?? record;

async function logAnalyzedRows(importId: string): Promise<void> {
  const { headers, rows } = await call('listRows', {
    params: { id: importId },
    query: { after: 0, limit: 3 },
  });
  console.log('Draftshelf test: columns', headers);
  for (const row of rows)
    console.log(`Draftshelf test: row ${row.row}, ${row.class}`, row.values, row.issues);
}

/** Returns the notification of one upload, or a summary of several. */
export function buildUploadsToast(uploads: readonly Upload[]): ToastRequest {
  const [upload, ...others] = uploads;
  if (upload === undefined || others.length > 0) return toastOfSeveral(uploads);
  if (upload.phase === 'failed') return { title: 'Upload Failed', text: upload.message, tone: 'failure' };
  if (upload.phase !== 'ended') throw new Error(`The upload of ${upload.filename} has not ended`);
  const { id } = upload.reply;
  const toast = buildUploadToast(upload.reply, upload.record);
  return id === null ? toast : { ...toast, link: { to: importPath(id), words: 'Open import' } };
}

/** Returns the notification of an upload. */
export function buildUploadToast(
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

/** Returns the error's message, else 'Upload failed' if the server has refused, else 'Fast upload failed'. */
export function describeUploadFailure(error: unknown): string {
  if (error instanceof CallError) return error.serverMessage ?? 'Upload failed';
  return messageIn(error) || 'Fast upload failed';
}

const namedMax = 3;

function toastOfSeveral(uploads: readonly Upload[]): ToastRequest {
  const failures = uploads.filter((upload) => upload.phase !== 'ended' || isLost(upload.record));
  const successes = uploads.filter((upload) => !failures.includes(upload));
  const link = { to: '/queue', words: 'Open queue' };
  const products = countOf(countProcessedProducts(successes), 'product');
  const files = `${countOf(successes.length, 'file')} processed and queued, with ${products}.`;
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
