import { hasShape, isNumber, isText, orNull, scannedListKey } from '../../../lib/storage.ts';
import { isReadCode } from '../scan/reader-options.ts';
import type { Line } from './batch-lines.ts';

/** A key per line, so that two tabs do not replace each other's lines. */
const lineKey = (id: string) => `${scannedListKey}:${id}`;

const isLine = hasShape<Line>({
  id: isText,
  code: isReadCode,
  sku: isText,
  upc: orNull(isText),
  count: isNumber,
  name: isText,
  price: isText,
  description: isText,
  photo: orNull(isText),
  nameFrom: orNull(isText),
  note: orNull(isText),
  state: (state) => state === 'looking' || state === 'ready' || state === 'known',
  problem: orNull(isText),
});
/** `at`: the time of adding; newer lines are above. */
const isStored = hasShape<{ at: number; line: Line }>({ at: isNumber, line: isLine });

/** Times of adding, by id. */
const addedAt = new Map<string, number>();

/** Newest first. An unreadable line stays stored. */
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

/** A line that another tab or a sign-out removed is not stored again. */
export function storeLines(before: readonly Line[], after: readonly Line[]): void {
  try {
    const knownLines = new Set(before);
    const isRemoved = ({ id }: Line) =>
      before.some((line) => line.id === id) && localStorage.getItem(lineKey(id)) === null;
    for (const line of after.toReversed()) {
      if (!knownLines.has(line) && !isRemoved(line)) {
        localStorage.setItem(lineKey(line.id), JSON.stringify({ at: placeOf(line.id), line }));
      }
    }
    const keptIds = new Set(after.map(({ id }) => id));
    for (const { id } of before) if (!keptIds.has(id)) localStorage.removeItem(lineKey(id));
  } catch {
    // Without storage, as in some private windows, the list lasts as long as the tab.
  }
}

/** Applies a change of another tab. */
export function withStored(
  lines: readonly Line[],
  { key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>,
): readonly Line[] {
  if (!key?.startsWith(lineKey(''))) return lines;
  const id = key.slice(lineKey('').length);
  if (newValue === null) return lines.filter((line) => line.id !== id);
  const changedLine = readLine(key, newValue);
  if (changedLine === null) return lines;
  return lines.some((line) => line.id === id)
    ? lines.map((line) => (line.id === id ? changedLine : line))
    : [changedLine, ...lines].sort((a, b) => placeOf(b.id) - placeOf(a.id));
}

function readLine(key: string, text: string | null): Line | null {
  if (!key.startsWith(lineKey('')) || text === null) return null;
  const stored = parsed(text);
  if (!isStored(stored)) return null;
  addedAt.set(stored.line.id, stored.at);
  return stored.line;
}

/** Splits the single text of an earlier version. Unreadable lines stay in it. */
function splitList(): void {
  const list = parsed(localStorage.getItem(scannedListKey) ?? '');
  if (!Array.isArray(list)) return;
  const lines = list.filter(isLine);
  storeLines([], lines);
  const otherItems = list.filter((item) => !isLine(item));
  if (otherItems.length === 0) localStorage.removeItem(scannedListKey);
  else localStorage.setItem(scannedListKey, JSON.stringify(otherItems));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Later than all lines before it. */
function placeOf(id: string): number {
  const at = addedAt.get(id) ?? Math.max(Date.now(), ...addedAt.values().map((before) => before + 1));
  addedAt.set(id, at);
  return at;
}
