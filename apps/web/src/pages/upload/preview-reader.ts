import { tooFewRecordsMessage } from '@draftshelf/contract/upload';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Preview, PreviewRow } from './preview.ts';

export type PreviewQuestion = { kind: 'read'; file: File } | { kind: 'page'; page: number };
export type PreviewAnswer =
  | { kind: 'progress'; readBytes: number; preview: Preview | null }
  | { kind: 'done'; preview: Preview }
  | { kind: 'page'; page: number; rows: PreviewRow[] }
  | { kind: 'tooFewRecords' }
  | { kind: 'failed'; message: string };

export type PreviewState = {
  readBytes: number;
  preview: Preview | null;
  complete: boolean;
  failure: string | null;
  /** The page of rows that was asked for last. */
  page: { number: number; rows: PreviewRow[] } | null;
};

const nothingRead: PreviewState = { readBytes: 0, preview: null, complete: false, failure: null, page: null };

function nextState(state: PreviewState, answer: PreviewAnswer): PreviewState {
  switch (answer.kind) {
    case 'progress':
      return { ...state, readBytes: answer.readBytes, preview: answer.preview };
    case 'done':
      return { ...state, preview: answer.preview, complete: true };
    case 'page':
      return { ...state, page: { number: answer.page, rows: answer.rows } };
    case 'tooFewRecords':
      return { ...state, failure: tooFewRecordsMessage };
    case 'failed':
      return { ...state, failure: answer.message };
  }
}

/** Reads `file` in a Web Worker for as long as it is chosen; `showPage` asks for a page of its rows. */
export function usePreview(file: File | null): PreviewState & { showPage: (page: number) => void } {
  const [state, setState] = useState(nothingRead);
  const worker = useRef<Worker | null>(null);
  const askedPage = useRef<number | null>(null);
  useEffect(() => {
    setState(nothingRead);
    if (file === null) return;
    const running = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' });
    worker.current = running;
    const ask = (question: PreviewQuestion) => running.postMessage(question);
    running.addEventListener('message', ({ data }: MessageEvent<PreviewAnswer>) => {
      // Of pages that are asked for in quick succession only the last is wanted.
      if (data.kind === 'page' && data.page !== askedPage.current) return;
      setState((before) => nextState(before, data));
    });
    running.addEventListener('error', (event) =>
      setState((before) => nextState(before, { kind: 'failed', message: event.message })),
    );
    ask({ kind: 'read', file });
    return () => {
      running.terminate();
      worker.current = null;
    };
  }, [file]);
  const showPage = useCallback((page: number) => {
    askedPage.current = page;
    worker.current?.postMessage({ kind: 'page', page } satisfies PreviewQuestion);
  }, []);
  return { ...state, showPage };
}
