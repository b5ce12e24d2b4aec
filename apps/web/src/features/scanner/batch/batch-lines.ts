import type { ScannedInput } from '@draftshelf/contract/scanner/scanner';
import { priceText } from '@draftshelf/domain/scanner/scanned-product';
import { CallError } from '../../../api/call.ts';
import { formatCount } from '../../../lib/intl.ts';
import { lookUpFailedWords, type Proposal, picturesOf, proposalsOf } from '../scan/prefill.ts';
import type { ReadCode } from '../scan/reader-options.ts';
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
