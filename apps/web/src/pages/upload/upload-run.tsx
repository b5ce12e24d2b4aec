import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { CallError } from '../../api/call.ts';
import { type ShownImport, useImportUntil } from '../../api/imports.ts';
import { closeGateOn401 } from '../../api/query-client.ts';
import { type Sent, sendCsv, type UploadOptions } from '../../api/upload.ts';
import { useFailureToast, useToast } from '../../components/feedback/toast.tsx';
import { importPath } from '../../lib/paths.ts';
import { fileGoneMessage, isFileGone } from './file-gone.ts';
import { type RunState, uploadToast } from './run-state.ts';

type UploadRun = {
  state: RunState;
  /** The import while it is being processed. */
  job: ShownImport | null;
  start: (file: File, options: UploadOptions) => void;
  /** Uploads the last file again. */
  retry: () => void;
  /** Aborts the upload before it is complete. The server keeps nothing. */
  stop: () => void;
  /** Clears the result of the last upload. */
  clear: () => void;
};

const UploadContext = createContext<UploadRun | null>(null);

/** The current upload. Throws outside the provider. */
export function useUploadRun(): UploadRun {
  const run = use(UploadContext);
  if (run === null) throw new Error('useUploadRun needs an UploadProvider above it');
  return run;
}

/** Continues an upload while the operator opens other screens, and notifies when its processing ends. */
export function UploadProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<RunState>({ phase: 'none' });
  const sending = useRef<AbortController | null>(null);
  const last = useRef<{ file: File; options: UploadOptions } | null>(null);
  const failure = useFailureToast();
  const client = useQueryClient();

  const start = useCallback(
    (file: File, options: UploadOptions) => {
      const controller = new AbortController();
      sending.current = controller;
      last.current = { file, options };
      const target = { filename: file.name, fileBytes: file.size };
      setState({ phase: 'sending', ...target, sent: { bytes: 0, whole: false } });
      const onSent = (sent: Sent) =>
        setState((before) => (before.phase === 'sending' ? { ...before, sent } : before));
      sendCsv(file, options, onSent, controller.signal).then(
        (reply) => {
          failure.dismiss();
          setState({ phase: 'processing', ...target, reply });
        },
        async (error: unknown) => {
          if (controller.signal.aborted) return setState({ phase: 'none' });
          closeGateOn401(client, error);
          // Browsers report a lost server and an unreadable file the same way.
          const gone = !(error instanceof CallError) && (await isFileGone(file));
          const message = gone ? fileGoneMessage : uploadFailure(error);
          setState({ phase: 'failed', ...target, message, cause: gone ? null : causeOf(error) });
          failure.show('Upload Failed', message);
        },
      );
    },
    [failure, client],
  );
  const retry = useCallback(() => {
    if (last.current !== null) start(last.current.file, last.current.options);
  }, [start]);
  const stop = useCallback(() => sending.current?.abort(), []);
  const clear = useCallback(() => {
    last.current = null;
    setState({ phase: 'none' });
  }, []);

  useWarningBeforeLeaving(state.phase === 'sending');
  const job = useEndOfProcessing(state, setState);

  const run = useMemo(
    () => ({ state, job, start, retry, stop, clear }),
    [state, job, start, retry, stop, clear],
  );
  return <UploadContext value={run}>{children}</UploadContext>;
}

/** As specified: the server's message, 'Upload failed' for other replies, 'Fast upload failed' if there is none. */
function uploadFailure(error: unknown): string {
  if (error instanceof CallError) return error.serverMessage ?? 'Upload failed';
  return (error instanceof Error && error.message) || 'Fast upload failed';
}

function causeOf(error: unknown): string | null {
  return error instanceof Error && error.message !== '' ? error.message : 'The server couldn’t be reached.';
}

function useWarningBeforeLeaving(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [active]);
}

function leftProcessing(job: ShownImport): boolean {
  return job.status !== 'processing' && job.status !== 'paused';
}

/** Polls the import until it leaves `processing`, then notifies. Returns the import. */
function useEndOfProcessing(state: RunState, setState: (state: RunState) => void): ShownImport | null {
  const toast = useToast();
  const processing = state.phase === 'processing' ? state : null;
  const reply = processing?.reply ?? null;
  const reading = useImportUntil(reply?.id ?? null, leftProcessing);
  const job = reading.data?.job ?? null;
  const ended = job !== null && leftProcessing(job);
  useEffect(() => {
    if (processing === null || reply === null) return;
    if (reply.id !== null && !ended) return;
    setState({ ...processing, phase: 'ended', job });
    toast({
      ...uploadToast(reply, job),
      ...(reply.id === null ? {} : { link: { to: importPath(reply.id), words: 'Open import' } }),
    });
    if (reply.testMode && reply.id !== null) logAnalyzedRows(reply.id);
  }, [processing, reply, ended, job, setState, toast]);
  return job;
}

/** Writes the rows of a test upload to the console. Other uploads do not need that code. */
async function logAnalyzedRows(importId: string): Promise<void> {
  (await import('./log-analyzed-rows.ts')).logAnalyzedRows(importId);
}
