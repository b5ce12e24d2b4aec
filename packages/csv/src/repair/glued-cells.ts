import { type ColumnProfile, isTypedColumn, isTypicalCell } from './column-profile.ts';

/** Splits are searched in this many characters at either end of a cell. Numbers, dates and codes are shorter. */
const searchedChars = 120;
/** A shorter half may be part of the text next to it, as `4K` in `4K Cable`. */
const kindedCharsMin = 3;

export type CellSplit = { left: string; right: string; sure: boolean };

/** Yields the possible splits of a cell in two. With `quotesOnly`, or for two text columns, one half must be quoted. */
export function* splitGluedCell(
  cell: string,
  [first, second]: readonly [ColumnProfile, ColumnProfile],
  quote: string,
  quotesOnly: boolean,
): Generator<CellSplit> {
  const areCells = (left: string, right: string) =>
    isTypicalCell(left, first) && isTypicalCell(right, second);
  const areTexts = !isTypedColumn(first) && !isTypedColumn(second);
  for (const [left, right] of quotedHalves(cell, quote, areTexts)) {
    if (areCells(left, right)) yield { left, right, sure: true };
  }
  if (quotesOnly || areTexts) return;
  for (const at of searchedPlaces(cell.length)) {
    const left = cell.slice(0, at);
    const right = cell.slice(at);
    if ((quote !== '' && right.startsWith(quote)) || !areCells(left, right)) continue;
    const isLong = [[left, second] as const, [right, first] as const].every(
      ([half, other]) => half.trim().length >= kindedCharsMin || isTypedColumn(other),
    );
    const isApart = () => !isWithinDigits(left, right) || endsAlike(first) || beginsAlike(second);
    yield { left, right, sure: isLong && isApart() };
  }
}

export const isWholeCell = (cell: string, profile: ColumnProfile) =>
  profile.shapes !== undefined && isTypicalCell(cell, profile);

/** Whether a cell of column `own` begins or ends with a typical cell of column `other`, and its rest fits `own`. */
export function holdsOtherCell(
  cell: string,
  where: 'start' | 'end',
  own: ColumnProfile,
  other: ColumnProfile,
) {
  if (other.shapes === undefined) return false;
  for (const at of searchedPlaces(cell.length)) {
    const halves = [cell.slice(0, at), cell.slice(at)] as const;
    if (/\s$/.test(halves[0]) || /^\s/.test(halves[1]) || isWithinDigits(...halves)) continue;
    const [one, rest] = where === 'start' ? halves : ([halves[1], halves[0]] as const);
    if (isTypicalCell(one, other) && isTypicalCell(rest, own)) return true;
  }
  return false;
}

export function unquoteCell(text: string, quote: string): string | null {
  const isWhole = quote !== '' && text.startsWith(quote) && closingQuote(text, quote) === text.length - 1;
  return isWhole ? text.slice(1, -1).replaceAll(quote + quote, quote) : null;
}

function* quotedHalves(
  cell: string,
  quote: string,
  areTexts: boolean,
): Generator<[left: string, right: string]> {
  const opening = quote === '' ? -1 : cell.indexOf(quote);
  if (opening === 0) {
    const end = closingQuote(cell, quote) + 1;
    const left = unquoteCell(cell.slice(0, end), quote);
    if (left !== null) yield [left, cell.slice(end)];
  }
  // In a text, the quote may mean inches or enclose a word: `Monitor 24"`, `Chair "Oslo"`.
  if (opening < 1 || (areTexts && /[\s\d]/.test(cell[opening - 1] as string))) return;
  const right = unquoteCell(cell.slice(opening), quote);
  if (right !== null) yield [cell.slice(0, opening), right];
}

function closingQuote(text: string, quote: string): number {
  for (let at = text.indexOf(quote, 1); at >= 0; at = text.indexOf(quote, at + 2)) {
    if (text[at + 1] !== quote) return at;
  }
  return -1;
}

function* searchedPlaces(length: number): Generator<number> {
  const last = length - searchedChars;
  for (let at = 1; at < Math.min(length, searchedChars); at += 1) yield at;
  for (let at = Math.max(last, searchedChars); at < length; at += 1) yield at;
}

const isWithinDigits = (left: string, right: string) => /\d$/.test(left) && /^\d/.test(right);

/** Shape of a number with at least eight digits, such as a barcode. */
const fixedDigits = /^0{8,}$/;

// Whether all cells of a column end alike, as prices (`9.50`, `12.50`) and barcodes do.
const endsAlike = ({ shapes }: ColumnProfile) => areSame(shapes, /\D0*$/);
const beginsAlike = ({ kind, shapes }: ColumnProfile) =>
  areSame(shapes, kind === 'date' ? /^0*\D/ : fixedDigits);

function areSame(shapes: readonly string[] | undefined, part: RegExp): boolean {
  const parts = new Set(shapes?.map((shape) => (part.exec(shape) ?? fixedDigits.exec(shape))?.[0]));
  return parts.size === 1 && !parts.has(undefined);
}
