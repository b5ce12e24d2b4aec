import type { DialectChoice } from '@draftshelf/contract/dialect';
import { startTransition, useCallback, useEffect, useRef, useState } from 'react';
import { nextState, nothingRead, type PreviewAnswer, type PreviewState, readAnew } from './preview-state.ts';

export type PreviewQuestion =
  | { kind: 'read'; file: File; choice: DialectChoice }
  | { kind: 'page'; page: number };

/**
 * Reads `file` in a Web Worker for as long as it is chosen, anew for every `choice` of how to read it; `showPage` asks
 * for a page of its rows.
 */
export function usePreview(
  file: File | null,
  choice: DialectChoice,
): PreviewState & { showPage: (page: number) => void } {
  const [state, setState] = useState(nothingRead);
  const worker = useRef<Worker | null>(null);
  const askedPage = useRef<number | null>(null);
  const readFile = useRef<File | null>(null);
  useEffect(() => {
    setState(file === readFile.current ? readAnew : nothingRead);
    readFile.current = file;
    if (file === null) return;
    const running = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' });
    worker.current = running;
    // As a transition the page draws in slices: in one go the first rows held it up for more than 100 ms.
    const take = (answer: PreviewAnswer) =>
      startTransition(() => setState((before) => nextState(before, answer, choice)));
    running.addEventListener('message', ({ data }: MessageEvent<PreviewAnswer>) => {
      // Of pages that are asked for in quick succession only the last is wanted.
      if (data.kind === 'page' && data.page !== askedPage.current) return;
      take(data);
    });
    running.addEventListener('error', ({ message }) =>
      take({ kind: 'failed', failure: { message, isBeyondDialects: false }, dialect: null }),
    );
    running.postMessage({ kind: 'read', file, choice } satisfies PreviewQuestion);
    return () => {
      running.terminate();
      worker.current = null;
    };
  }, [file, choice]);
  const showPage = useCallback((page: number) => {
    askedPage.current = page;
    worker.current?.postMessage({ kind: 'page', page } satisfies PreviewQuestion);
  }, []);
  return { ...state, showPage };
}
