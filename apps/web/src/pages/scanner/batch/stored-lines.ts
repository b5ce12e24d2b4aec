import { scanFormats } from '@draftshelf/domain/read-scan';
import { z } from 'zod';
import type { Line } from './batch-lines.ts';

const storageKey = 'draftshelf-batch-scan';

const Lines = z.array(
  z.object({
    id: z.string(),
    code: z.object({ text: z.string(), format: z.enum(scanFormats).nullable() }),
    sku: z.string(),
    upc: z.string().nullable(),
    count: z.number(),
    name: z.string(),
    price: z.string(),
    description: z.string(),
    photo: z.string().nullable(),
    nameFrom: z.string().nullable(),
    note: z.string().nullable(),
    state: z.enum(['looking', 'ready', 'known']),
    problem: z.string().nullable(),
  }),
);

/** The list as this browser has kept it; empty if there is none, or if another version wrote it. */
export function readLines(): Line[] {
  try {
    return Lines.parse(JSON.parse(localStorage.getItem(storageKey) ?? '[]'));
  } catch {
    return [];
  }
}

/** Keeps the list, so that a reload or a closed tab loses nothing. */
export function storeLines(lines: readonly Line[]): void {
  try {
    if (lines.length === 0) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, JSON.stringify(lines));
  } catch {
    // Without storage, as in some private windows, the list lives as long as the tab.
  }
}
