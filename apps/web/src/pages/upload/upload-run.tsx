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
  /** The import while it is processed. */
  job: ShownImport | null;
  start: (file: File, options: UploadOptions) => void;
  /** Sends the file of the last upload once more. */
  again: () => void;
  /** Stops the sending before all is sent; nothing is left on the server. */
  stop: () => void;
  /** Forgets how the last upload ended. */
  clear: () => void;
};

const UploadContext = createContext<UploadRun | null>(null);

/** The one upload of this page. Throws outside the provider. */
export function useUploadRun(): UploadRun {
  const run = use(UploadContext);
  if (run === null) throw new Error('useUploadRun needs an UploadProvider above it');
  return run;
}

/** Keeps an upload going while the operator looks at other screens, and says when its processing has ended. */
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
        (answer) => {
          failure.answered();
          setState({ phase: 'processing', ...target, answer });
        },
        async (error: unknown) => {
          if (controller.signal.aborted) return setState({ phase: 'none' });
          closeGateOn401(client, error);
          // The browser says of both alike that nothing came of the request.
          const gone = !(error instanceof CallError) && (await isFileGone(file));
          const message = gone ? fileGoneMessage : uploadFailure(error);
          setState({ phase: 'failed', ...target, message, cause: gone ? null : causeOf(error) });
          failure.tell('Upload Failed', message);
        },
      );
    },
    [failure, client],
  );
  const again = useCallback(() => {
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
    () => ({ state, job, start, again, stop, clear }),
    [state, job, start, again, stop, clear],
  );
  return <UploadContext value={run}>{children}</UploadContext>;
}

/** Decision D18: the server's message, else 'Upload failed' for any other refusal, else 'Fast upload failed'. */
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

/** Follows the import until it leaves `processing`, then says so (decisions C12 and P6); answers it meanwhile. */
function useEndOfProcessing(state: RunState, setState: (state: RunState) => void): ShownImport | null {
  const toast = useToast();
  const processing = state.phase === 'processing' ? state : null;
  const answer = processing?.answer ?? null;
  const reading = useImportUntil(answer?.id ?? null, leftProcessing);
  const job = reading.data?.job ?? null;
  const ended = job !== null && leftProcessing(job);
  useEffect(() => {
    if (processing === null || answer === null) return;
    if (answer.id !== null && !ended) return;
    setState({ ...processing, phase: 'ended', job });
    toast({
      ...uploadToast(answer, job),
      ...(answer.id === null ? {} : { link: { to: importPath(answer.id), words: 'Open import' } }),
    });
    if (answer.testMode && answer.id !== null) logAnalysedRows(answer.id);
  }, [processing, answer, ended, job, setState, toast]);
  return job;
}

/** Writes the rows of a test upload to the console. Other uploads do not need that code. */
async function logAnalysedRows(importId: string): Promise<void> {
  (await import('./log-analysed-rows.ts')).logAnalysedRows(importId);
}
