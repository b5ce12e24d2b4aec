import { type Delimiter, type Dialect, delimiters, type Quote, usualDelimiters } from '../dialect.ts';
import { scorePlausibility } from './cell-kind.ts';
import { countWidths } from './common-width.ts';
import { countHeaderWords } from './header-vocabulary.ts';
import { type HeadReading, readHead } from './read-head.ts';

/** A possible delimiter and quote. `score`: how regular the resulting table is, or 0 if the result is no table. */
export type SeparatorCandidate = { delimiter: Delimiter; quote: Quote; score: number; reading: HeadReading };

const usual: readonly Delimiter[] = usualDelimiters;
const usualScoreMin = 0.3;
/** Minimum share of records with equal width for an unusual delimiter, because every sentence contains spaces. */
const alikeMin = 0.9;
const plausibilityMin = 0.7;
const columnsMin: Partial<Record<Delimiter, number>> = { ' ': 3, ':': 3 };

/** Returns the delimiter and quote that make the most regular table, or comma and '"' if none does. */
export function sniffSeparators(head: Uint8Array, complete: boolean, basis: Dialect): SeparatorCandidate {
  const present = delimiters.filter((delimiter) => head.includes(delimiter.charCodeAt(0)));
  const quotes: Quote[] = (['"', "'", '`'] as const).filter(
    (quote) => quote === '"' || encloses(head, quote),
  );
  const candidateFor = (delimiter: Delimiter) => {
    const spaceAfterDelimiter = isSpaced(head, delimiter);
    return quotes
      .map((quote): SeparatorCandidate => {
        const reading = readHead(head, complete, { ...basis, delimiter, quote, spaceAfterDelimiter });
        return { delimiter, quote, reading, score: tableScore(reading, delimiter) };
      })
      .reduce((best, other) => (readsBetter(other, best) ? other : best));
  };

  const found = best(present.filter((delimiter) => usual.includes(delimiter)).map(candidateFor));
  if (found.score >= usualScoreMin) return found;
  const others = present.filter((delimiter) => !usual.includes(delimiter)).map(candidateFor);
  const other = best(others.filter(isStrictTable).map(discountColon));
  return other.score > found.score * 1.5 ? other : found;
}

const nothingRead: HeadReading = {
  records: [],
  lines: [],
  quoteIssues: 0,
  lineEnds: { lf: 0, crlf: 0, cr: 0 },
};
const none: SeparatorCandidate = { delimiter: ',', quote: '"', score: 0, reading: nothingRead };

function best(candidates: readonly SeparatorCandidate[]): SeparatorCandidate {
  return candidates.reduce((first, other) => (other.score > first.score ? other : first), none);
}

/** Halves the score of colons, which are also part of times and links, often at the same index in every record. */
function discountColon(candidate: SeparatorCandidate): SeparatorCandidate {
  return candidate.delimiter === ':' ? { ...candidate, score: candidate.score * 0.5 } : candidate;
}

function isSpaced(head: Uint8Array, delimiter: Delimiter): boolean {
  if (delimiter === ' ') return false;
  const byte = delimiter.charCodeAt(0);
  let count = 0;
  let spaced = 0;
  for (let at = head.indexOf(byte); at >= 0; at = head.indexOf(byte, at + 1)) {
    const next = head[at + 1];
    if (next === undefined || next === 10 || next === 13) continue;
    count += 1;
    if (next === 32) spaced += 1;
  }
  return spaced > count * 0.9;
}

function encloses(head: Uint8Array, quote: string): boolean {
  const byte = quote.charCodeAt(0);
  let opens = 0;
  let closes = 0;
  for (let at = head.indexOf(byte); at >= 0; at = head.indexOf(byte, at + 1)) {
    if (at === 0 || isBorder(head[at - 1] as number)) opens += 1;
    else if (at + 1 === head.length || isBorder(head[at + 1] as number)) closes += 1;
  }
  return opens > 1 && closes * 2 > opens;
}

const isBorder = (byte: number) => byte === 10 || byte === 13 || ',;\t|'.includes(String.fromCharCode(byte));

/** Whether another quote reads better: its score is clearly higher, or equal and it encloses over 30 % of the cells. */
function readsBetter(other: SeparatorCandidate, best: SeparatorCandidate): boolean {
  if (other.score > best.score * 1.05) return true;
  return other.score >= best.score * 0.999 && enclosedShare(best.reading.records, other.quote) > 0.3;
}

function enclosedShare(records: readonly string[][], quote: string): number {
  let filled = 0;
  let enclosed = 0;
  for (const record of records) {
    for (const cell of record) {
      if (cell !== '') filled += 1;
      if (cell.length > 1 && cell.startsWith(quote) && cell.endsWith(quote)) enclosed += 1;
    }
  }
  return filled === 0 ? 0 : enclosed / filled;
}

function isStrictTable({ delimiter, reading: { records } }: SeparatorCandidate): boolean {
  if (records.length < 2 || meanPlausibility(records, delimiter) < plausibilityMin) return false;
  for (const [columns, alike] of countWidths(records)) {
    const isFirst = records[0]?.length === columns;
    if (isFirst && columns >= (columnsMin[delimiter] ?? 2) && alike >= records.length * alikeMin) return true;
  }
  return false;
}

/** Scores a table: higher for more columns, equal widths, matching quotes and plausible cells. 0 for one column. */
function tableScore({ records, quoteIssues }: HeadReading, delimiter: Delimiter): number {
  let best = 0;
  for (const [columns, alike] of countWidths(records)) {
    if (columns < 2) continue;
    const share = alike / records.length;
    best = Math.max(best, share * share * (1 - 1 / columns));
  }
  if (best === 0) return 0;
  const regularity = best / (1 + (2 * quoteIssues) / records.length);
  return regularity * meanPlausibility(records, delimiter) * namingWeight(records);
}

/** Favors a delimiter that splits a header into known names, even if commas in unquoted texts break the rows. */
function namingWeight(records: readonly string[][]): number {
  const names = records.slice(0, headerRecordsMax).map(countHeaderWords);
  return 1 + 0.3 * Math.min(6, Math.max(0, ...names));
}

const headerRecordsMax = 10;
const plausibleRecordsMax = 100;
const plausibleCellsMax = 60;

function meanPlausibility(records: readonly string[][], delimiter: Delimiter): number {
  let sum = 0;
  let cells = 0;
  for (const record of records.slice(0, plausibleRecordsMax)) {
    for (const cell of record.slice(0, plausibleCellsMax)) {
      sum += scorePlausibility(cell, delimiter);
      cells += 1;
    }
  }
  return cells === 0 ? 0 : sum / cells;
}
