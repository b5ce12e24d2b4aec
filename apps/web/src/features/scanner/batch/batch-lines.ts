import type { ScannedInput } from '@draftshelf/contract/scanner/scanner';
import { priceText } from '@draftshelf/domain/scanner/scanned-product';
import { CallError } from '../../../api/call.ts';
import { formatCount } from '../../../lib/intl.ts';
import { hasShape, isNumber, isText, orNull, scannedListKey } from '../../../lib/storage.ts';
import { lookUpFailedWords, type Proposal, picturesOf, proposalsOf } from '../scan/prefill.ts';
import { isReadCode, type ReadCode } from '../scan/reader-options.ts';
import type { CodeReply } from '../scanner-api.ts';

export type Line = {
  /** The id that the product is saved under, made at the first scan. */
  id: string;
  /** The code as read, to look it up again. */
  code: ReadCode;
  /** The shown code, which is the product's SKU. */
  sku: string;
  upc: string | null;
  /** Number of scans. */
  count: number;
  name: string;
  price: string;
  description: string;
  photo: string | null;
  /** Source of an unchecked name; null: it was typed or accepted. */
  nameFrom: string | null;
  note: string | null;
  /** `known`: the library has the code, so nothing is saved. */
  state: 'looking' | 'ready' | 'known';
  /** Reason for the last failed save. */
  problem: string | null;
};

/** More lines would make the list slow to save. */
export const linesMax = 200;

export type ScannedCode = {
  id: string;
  code: ReadCode;
  sku: string;
  upc: string | null;
  note: string | null;
};

/** Adds a code in front, or counts it if a line has it. */
export function addCode(lines: readonly Line[], scanned: ScannedCode): { lines: Line[]; isNew: boolean } {
  const { id, code, sku, upc, note } = scanned;
  const isSame = (line: Line) => line.sku === sku;
  if (lines.some(isSame)) {
    const countedLines = lines.map((line) => (isSame(line) ? { ...line, count: line.count + 1 } : line));
    return { lines: countedLines, isNew: false };
  }
  const line: Line = {
    ...{ id, code, sku, upc, note, count: 1, name: '', price: '', description: '', photo: null },
    ...{ nameFrom: null, state: 'looking', problem: null },
  };
  return { lines: [line, ...lines], isNew: true };
}

/** Fills empty fields. No price comes from a source. */
export function fillLine(line: Line, reply: CodeReply): Line {
  const { product, inImports, inStore } = reply;
  if (product !== null) {
    const { name, price, photos } = product;
    const note = 'Already in the library.';
    return { ...line, name, price, photo: photos[0] ?? null, nameFrom: null, note, state: 'known' };
  }
  const proposals = proposalsOf(reply);
  const proposalOf = (field: keyof Proposal['values']) =>
    proposals.map(({ values }) => values[field]).find((value) => value !== undefined) ?? '';
  const name = proposalOf('name');
  const nameFrom = proposals.find(({ values }) => values.name === name)?.source ?? null;
  const isNamed = line.name.trim() !== '';
  const [row] = inImports;
  const notes = [
    line.note,
    inStore && 'Already in the store.',
    row && `In ${row.filename}, row ${row.row}.`,
    name === '' && !isNamed ? notFoundWords(reply) : null,
  ];
  return {
    ...line,
    ...(isNamed ? {} : { name, nameFrom }),
    price: line.price || proposalOf('price'),
    description: line.description || proposalOf('description'),
    photo: line.photo ?? picturesOf(reply)[0] ?? null,
    note: notes.filter((note) => note).join(' ') || null,
    state: 'ready',
  };
}

function notFoundWords({ asked, waiting }: CodeReply): string {
  if (asked === 'quota' && waiting !== null) return `${waiting.source} has reached its limit for now.`;
  if (asked === 'failed') return lookUpFailedWords;
  if (asked === 'asking') return 'A source is being asked about this code right now.';
  return 'Nothing is known about this code.';
}

/** A changed name needs no confirmation. */
export function changeLine(line: Line, change: Partial<Pick<Line, 'name' | 'price'>>): Line {
  const isNamed = change.name !== undefined;
  return { ...line, ...change, nameFrom: isNamed ? null : line.nameFrom, problem: null };
}

export const acceptNames = (lines: readonly Line[]): Line[] =>
  lines.map((line) => ({ ...line, nameFrom: null }));

/** Null: the line can be saved. */
export function whyNotSaved(line: Line): string | null {
  if (line.state === 'known') return 'Already in the library.';
  if (line.name.trim() === '') return line.state === 'looking' ? 'Looking it up…' : 'Enter a name.';
  if (line.price.trim() === '') return 'Enter a price.';
  if (priceText(line.price) === null) return 'Enter an amount like 24.99.';
  return line.nameFrom === null ? null : `Check the name from ${line.nameFrom}, or accept all names.`;
}

export function wordsOf(line: Line): string {
  const reason = line.problem ?? (line.state === 'known' ? null : whyNotSaved(line));
  return [countWords(line.count), line.note, reason].filter((words) => words !== null).join(' ');
}

/** The library has no quantities, so the number of scans is only for the operator. */
const countWords = (count: number) =>
  count === 1 ? null : `Scanned ${formatCount(count)} times; the number isn’t saved.`;

export const withLine = (lines: readonly Line[], id: string, change: (line: Line) => Line): Line[] =>
  lines.map((line) => (line.id === id ? change(line) : line));

/** Attempts for a line without an answer. The id makes a repetition harmless. */
const attemptsMax = 3;

type SaveDeps = {
  send: (id: string, input: ScannedInput) => Promise<void>;
  /** `attempt` counts from 1. */
  wait: (attempt: number) => Promise<void>;
  /** Called once per line. `problem` null: the line was saved. */
  report: (id: string, problem: string | null) => void;
};

/** Saves one after the other and returns the number saved. */
export async function saveLines(lines: readonly Line[], deps: SaveDeps): Promise<number> {
  let savedCount = 0;
  // In the order of scanning, so that the library has the order of the shelf.
  for (const line of lines.filter(isSavable).toReversed()) {
    const problem = await saveLine(line, deps);
    if (problem === null) savedCount += 1;
    deps.report(line.id, problem);
  }
  return savedCount;
}

const isSavable = (line: Line) => whyNotSaved(line) === null;

async function saveLine(line: Line, { send, wait }: SaveDeps): Promise<string | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send(line.id, inputOf(line));
      return null;
    } catch (error) {
      const isRefused = error instanceof CallError && error.status < 500;
      if (isRefused) return error.serverMessage ?? error.message;
      if (attempt === attemptsMax) return 'The server didn’t answer. Save again: nothing is saved twice.';
      await wait(attempt);
    }
  }
}

function inputOf({ name, price, sku, upc, description, photo }: Line): ScannedInput {
  const photos = photo === null ? [] : [photo];
  return { name: name.trim(), price: price.trim(), sku, upc, description, photos };
}

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
