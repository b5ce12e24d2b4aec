import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import type { MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import { startTransition, useCallback, useEffect, useRef, useState } from 'react';
import {
  beginReread,
  initialPreviewState,
  type PreviewReply,
  type PreviewState,
  reducePreview,
} from './preview-state.ts';

export type ReadRequest = {
  kind: 'read';
  file: File;
  choice: DialectChoice;
  mapping: MappingOverrides;
  /** Whether the file is a list of prices and stock of a known supplier. */
  isPartial: boolean;
  /** Whether rows are sent only with the first progress message, because the page does not show them. */
  rowsOnce: boolean;
};
export type PreviewRequest = ReadRequest | { kind: 'page'; page: number };

const nothingRead = { of: null, state: initialPreviewState };

export const createPreviewWorker = (): Worker =>
  new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' });

/** Returns the reply for a worker that has crashed. */
export const toCrashReply = ({ message }: ErrorEvent): PreviewReply => ({
  kind: 'failed',
  failure: { message, isBeyondDialects: false },
  dialect: null,
});

/** Reads a file in a Web Worker, and again after each change of an argument. */
export function usePreview(
  file: File | null,
  choice: DialectChoice,
  mapping: MappingOverrides,
  isPartial: boolean,
): PreviewState & { showPage: (page: number) => void } {
  const [{ of, state }, setState] = useState<{ of: File | null; state: PreviewState }>(nothingRead);
  const worker = useRef<Worker | null>(null);
  const askedPage = useRef<number | null>(null);
  useEffect(() => {
    setState((before) => ({
      of: file,
      state: before.of === file ? beginReread(before.state) : initialPreviewState,
    }));
    if (file === null) return;
    const running = createPreviewWorker();
    worker.current = running;
    // A transition, because drawing the first rows at once would block the page for more than 100 ms.
    const take = (reply: PreviewReply) =>
      startTransition(() =>
        setState((before) =>
          before.of === file ? { of: file, state: reducePreview(before.state, reply, choice) } : before,
        ),
      );
    running.addEventListener('message', ({ data }: MessageEvent<PreviewReply>) => {
      // Only the last requested page is shown.
      if (data.kind === 'page' && data.page !== askedPage.current) return;
      take(data);
    });
    running.addEventListener('error', (event) => take(toCrashReply(event)));
    const request: PreviewRequest = { kind: 'read', file, choice, mapping, isPartial, rowsOnce: false };
    running.postMessage(request);
    return () => {
      running.terminate();
      worker.current = null;
    };
  }, [file, choice, mapping, isPartial]);
  const showPage = useCallback((page: number) => {
    askedPage.current = page;
    worker.current?.postMessage({ kind: 'page', page } satisfies PreviewRequest);
  }, []);
  // Until the effect above has run for a new file, the state belongs to the previous file.
  return { ...(of === file ? state : initialPreviewState), showPage };
}
