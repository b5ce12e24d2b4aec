import { useSyncExternalStore } from 'react';
import type { Is } from './shape.ts';

const forgetters: (() => void)[] = [];

/** Forgets all lists that are kept until the tab is closed. */
export function forgetSession(): void {
  for (const forget of forgetters) forget();
  try {
    sessionStorage.clear();
  } catch {
    // Without storage nothing outlives the page.
  }
}

/** Also kept over a reload. `is` checks a stored item. Empty without storage, or for another version's list. */
export function sessionList<Item>(key: string, is: Is<Item>) {
  let list = readList(key, is);
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = () => list;
  const set = (next: readonly Item[]) => {
    list = next;
    try {
      sessionStorage.setItem(key, JSON.stringify(list));
    } catch {
      // Without storage the list lasts as long as the page.
    }
    for (const listener of listeners) listener();
  };
  forgetters.push(() => set([]));
  return { get, set, use: () => useSyncExternalStore(subscribe, get) };
}

function readList<Item>(key: string, is: Is<Item>): readonly Item[] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(list) && list.every(is) ? list : [];
  } catch {
    return [];
  }
}
