import type { z } from 'zod';

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

/** A list that is kept until the tab is closed. `key`: its place in the storage of the tab; `schema`: of the list. */
export function sessionList<Item>(key: string, schema: z.ZodType<Item[]>) {
  return {
    /** Empty if there is none, if another version wrote it, or without storage. */
    read(): readonly Item[] {
      try {
        return schema.parse(JSON.parse(sessionStorage.getItem(key) ?? '[]'));
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
