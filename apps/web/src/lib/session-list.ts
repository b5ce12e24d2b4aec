import type { Is } from './shape.ts';

const forgetters: (() => void)[] = [];

/** Calls `forget` when this tab must forget what it did, for a list that is in memory, too. */
export const onForget = (forget: () => void): void => void forgetters.push(forget);

/** Forgets all that is kept until the tab is closed. */
export function forgetSession(): void {
  for (const forget of forgetters) forget();
  try {
    sessionStorage.clear();
  } catch {
    // Without storage nothing outlives the page.
  }
}

/** A list that is kept until the tab is closed. `key`: its place in the tab's storage; `is`: tells an item of it. */
export function sessionList<Item>(key: string, is: Is<Item>) {
  return {
    /** Empty if there is none, if another version wrote it, or without storage. */
    read(): readonly Item[] {
      try {
        const list: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
        return Array.isArray(list) && list.every(is) ? list : [];
      } catch {
        return [];
      }
    },
    store(list: readonly Item[]): void {
      try {
        sessionStorage.setItem(key, JSON.stringify(list));
      } catch {
        // Without storage the list lives as long as the page.
      }
    },
  };
}
