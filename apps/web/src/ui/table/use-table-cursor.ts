import { type RefObject, useEffect } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';

/**
 * Makes the rows of a table one Tab stop, in which keys move. Loads with the first key, or when the table gets the
 * focus. If it cannot be loaded, Tab goes through all controls.
 */
export function useTableCursor(around: RefObject<HTMLElement | null>, isOn = true): void {
  useEffect(() => {
    const element = around.current;
    if (!isOn || element === null) return;
    const waiting = new AbortController();
    let isGone = false;
    let stop: (() => void) | undefined;
    const start = async () => {
      waiting.abort();
      const { startTableCursor } = await loadChunk(() => import('./table-cursor.ts'));
      if (!isGone) stop = startTableCursor(element);
    };
    const begin = () => void start().catch(() => undefined);
    document.addEventListener('keydown', begin, { signal: waiting.signal });
    element.addEventListener('focusin', begin, { signal: waiting.signal });
    return () => {
      isGone = true;
      waiting.abort();
      stop?.();
    };
  }, [around, isOn]);
}
