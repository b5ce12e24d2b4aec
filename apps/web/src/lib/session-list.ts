import type { z } from 'zod';

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
