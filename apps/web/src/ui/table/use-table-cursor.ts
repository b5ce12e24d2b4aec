import { type RefObject, useEffect } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';

const cursorKeys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'];

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
      const endHolding = holdKeys(element);
      const loaded = await loadChunk(() => import('./table-cursor.ts')).catch(() => undefined);
      if (!isGone) stop = loaded?.startTableCursor(element);
      for (const event of endHolding()) if (!isGone) pressAgain(event);
    };
    const begin = () => void start();
    document.addEventListener('keydown', begin, { signal: waiting.signal });
    element.addEventListener('focusin', begin, { signal: waiting.signal });
    return () => {
      isGone = true;
      waiting.abort();
      stop?.();
    };
  }, [around, isOn]);
}

const pressAgain = (event: KeyboardEvent) =>
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', event));

/**
 * Holds the keys that move in a table, until the returned function gives them back. What is typed behind them is
 * dropped: it would go into a cell that the operator has left.
 */
function holdKeys(element: HTMLElement): () => readonly KeyboardEvent[] {
  const held: KeyboardEvent[] = [];
  const hold = (event: KeyboardEvent) => {
    const isHeld = cursorKeys.includes(event.key) && !(event.target instanceof HTMLInputElement);
    if (isHeld) held.push(event);
    if (held.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
  };
  element.addEventListener('keydown', hold, { capture: true });
  return () => {
    element.removeEventListener('keydown', hold, { capture: true });
    return held;
  };
}
