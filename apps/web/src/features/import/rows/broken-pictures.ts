import { useEffect, useSyncExternalStore } from 'react';

let marks = 0;
const listeners = new Set<() => void>();

function count(by: number): void {
  marks += by;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Counts a row's mark while it is shown, if only the browser could not load the picture. */
export function useBrokenMark(isBroken: boolean): void {
  useEffect(() => {
    if (!isBroken) return;
    count(1);
    return () => count(-1);
  }, [isBroken]);
}

/** How many pictures of the shown rows only the browser could not load. */
export const useBrokenCount = (): number => useSyncExternalStore(subscribe, () => marks);
