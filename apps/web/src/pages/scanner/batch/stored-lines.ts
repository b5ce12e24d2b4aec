import { scanFormats } from '@draftshelf/domain/scanner/read-scan';
import { z } from 'zod';
import { scannedListKey } from '../../../lib/sign-out-storage.ts';
import type { Line } from './batch-lines.ts';

/** A key per line, so that two tabs do not replace each other's lines. */
const lineKey = (id: string) => `${scannedListKey}:${id}`;

const StoredLine = z.object({
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
});
/** `at`: when the line was added; newer ones are above. */
const Stored = z.object({ at: z.number(), line: StoredLine });

/** When the lines that this tab knows were added, by id. */
const addedAt = new Map<string, number>();

/** The lines that this browser has kept, newest first. A line that cannot be read stays stored. */
export function readLines(): Line[] {
  try {
    splitList();
    const keys = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? '');
    const lines = keys.flatMap((key) => readLine(key, localStorage.getItem(key)) ?? []);
    return lines.sort((a, b) => placeOf(b.id) - placeOf(a.id));
  } catch {
    return [];
  }
}

/**
 * Stores what has changed in the list, so that a reload or a closed tab loses nothing. A line that another tab, or a
 * sign-out, has removed meanwhile is not stored again.
 */
export function storeLines(before: readonly Line[], after: readonly Line[]): void {
  try {
    const known = new Set(before);
    const isRemoved = ({ id }: Line) =>
      before.some((one) => one.id === id) && localStorage.getItem(lineKey(id)) === null;
    for (const line of after.toReversed()) {
      if (!known.has(line) && !isRemoved(line)) {
        localStorage.setItem(lineKey(line.id), JSON.stringify({ at: placeOf(line.id), line }));
      }
    }
    const kept = new Set(after.map(({ id }) => id));
    for (const { id } of before) if (!kept.has(id)) localStorage.removeItem(lineKey(id));
  } catch {
    // Without storage, as in some private windows, the list lives as long as the tab.
  }
}

/** The list after another tab has stored or removed one of its lines. */
export function withStored(
  lines: readonly Line[],
  { key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>,
): readonly Line[] {
  if (!key?.startsWith(lineKey(''))) return lines;
  const id = key.slice(lineKey('').length);
  if (newValue === null) return lines.filter((line) => line.id !== id);
  const changed = readLine(key, newValue);
  if (changed === null) return lines;
  return lines.some((line) => line.id === id)
    ? lines.map((line) => (line.id === id ? changed : line))
    : [changed, ...lines].sort((a, b) => placeOf(b.id) - placeOf(a.id));
}

function readLine(key: string, text: string | null): Line | null {
  if (!key.startsWith(lineKey('')) || text === null) return null;
  const stored = Stored.safeParse(parsed(text)).data;
  if (stored === undefined) return null;
  addedAt.set(stored.line.id, stored.at);
  return stored.line;
}

/** Stores the lines of an earlier version's list, which was one text. Those that cannot be read stay in the list. */
function splitList(): void {
  const list = parsed(localStorage.getItem(scannedListKey) ?? '');
  if (!Array.isArray(list)) return;
  const lines = list.flatMap((one) => StoredLine.safeParse(one).data ?? []);
  storeLines([], lines);
  const unread = list.filter((one) => !StoredLine.safeParse(one).success);
  if (unread.length === 0) localStorage.removeItem(scannedListKey);
  else localStorage.setItem(scannedListKey, JSON.stringify(unread));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** When a line was added: later than all lines before it. */
function placeOf(id: string): number {
  const at = addedAt.get(id) ?? Math.max(Date.now(), ...addedAt.values().map((before) => before + 1));
  addedAt.set(id, at);
  return at;
}
