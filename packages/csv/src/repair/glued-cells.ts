import { type ColumnHabit, isOfOneKind, isTypical } from './column-profile.ts';

/** A number, date or code is no longer; so far from both ends of a cell the place is searched where it may be two. */
const searchedChars = 120;
/** Fewer characters before or behind a text may as well be part of it: `4K Cable`. */
const kindedCharsMin = 3;

export type GluedCells = {
  left: string;
  right: string;
  /** No other place would do as well, as far as these two tell. */
  sure: boolean;
};

/**
 * The ways in which a cell may be two, of neighbouring columns, without a separator between them. Where only quotes may
 * tell (`quotesOnly`, or two columns of text), one half must be a whole quoted cell.
 */
export function* gluedCells(
  cell: string,
  [first, second]: readonly [ColumnHabit, ColumnHabit],
  quote: string,
  quotesOnly: boolean,
): Generator<GluedCells> {
  const areCells = (left: string, right: string) => isTypical(left, first) && isTypical(right, second);
  const areTexts = !isOfOneKind(first) && !isOfOneKind(second);
  for (const [left, right] of quotedHalves(cell, quote, areTexts)) {
    if (areCells(left, right)) yield { left, right, sure: true };
  }
  if (quotesOnly || areTexts) return;
  for (const at of searchedPlaces(cell.length)) {
    const left = cell.slice(0, at);
    const right = cell.slice(at);
    if ((quote !== '' && right.startsWith(quote)) || !areCells(left, right)) continue;
    const isLong = [[left, second] as const, [right, first] as const].every(
      ([half, beside]) => half.trim().length >= kindedCharsMin || isOfOneKind(beside),
    );
    yield {
      left,
      right,
      sure: isLong && (!isWithinDigits(left, right) || endsAlike(first) || beginsAlike(second)),
    };
  }
}

/** Whether a cell is what stands in a column whose cells look alike, so that it is no two. */
export const isOneCell = (cell: string, habit: ColumnHabit) =>
  habit.shapes !== undefined && isTypical(cell, habit);

/** Whether a cell begins or ends with what may be a cell of another column, and the rest is still like its own. */
export function holdsOne(
  cell: string,
  where: 'start' | 'end',
  own: ColumnHabit,
  other: ColumnHabit,
): boolean {
  if (other.shapes === undefined) return false;
  for (const at of searchedPlaces(cell.length)) {
    const halves = [cell.slice(0, at), cell.slice(at)] as const;
    if (/\s$/.test(halves[0]) || /^\s/.test(halves[1]) || isWithinDigits(...halves)) continue;
    const [one, rest] = where === 'start' ? halves : ([halves[1], halves[0]] as const);
    if (isTypical(one, other) && isTypical(rest, own)) return true;
  }
  return false;
}

/** The content of a text that stands in quotes as a whole; else null. */
export function wholeQuoted(text: string, quote: string): string | null {
  const isWhole = quote !== '' && text.startsWith(quote) && closingQuote(text, quote) === text.length - 1;
  return isWhole ? text.slice(1, -1).replaceAll(quote + quote, quote) : null;
}

/** `"one"two` and `one"two"`, as the reader gives cells whose quotes are not theirs alone. */
function* quotedHalves(
  cell: string,
  quote: string,
  areTexts: boolean,
): Generator<[left: string, right: string]> {
  const opening = quote === '' ? -1 : cell.indexOf(quote);
  if (opening === 0) {
    const behind = closingQuote(cell, quote) + 1;
    const left = wholeQuoted(cell.slice(0, behind), quote);
    if (left !== null) yield [left, cell.slice(behind)];
  }
  // In a text it may be an inch, or quote a word: `Monitor 24"`, `Chair "Oslo"`.
  if (opening < 1 || (areTexts && /[\s\d]/.test(cell[opening - 1] as string))) return;
  const right = wholeQuoted(cell.slice(opening), quote);
  if (right !== null) yield [cell.slice(0, opening), right];
}

/** Where the quote closes with which a text begins; -1: nowhere. */
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

/** So long a number is one of a kind that all have as many digits: a barcode. */
const fixedDigits = /^0{8,}$/;

/** All cells of a column end in as many digits behind another character, as `9.50` and `12.50` do. */
const endsAlike = ({ shapes }: ColumnHabit) => areSame(shapes, /\D0*$/);
const beginsAlike = ({ kind, shapes }: ColumnHabit) =>
  areSame(shapes, kind === 'date' ? /^0*\D/ : fixedDigits);

function areSame(shapes: readonly string[] | undefined, part: RegExp): boolean {
  const parts = new Set(shapes?.map((shape) => (part.exec(shape) ?? fixedDigits.exec(shape))?.[0]));
  return parts.size === 1 && !parts.has(undefined);
}
