import { findNumberEnd, findNumberStart, isDigit, parseMoney } from '../base/money.ts';

export type DecimalMark = '.' | ',';

/** Evidence in a column's cells for its decimal mark. */
export type MarkTally = {
  /** Number of unambiguous cells, by the decimal mark that they prove. */
  proofs: Record<DecimalMark, number>;
  /** The highest number of decimals in the unambiguous cells. */
  decimalsMax: number;
  /** Number of cells without a mark, and the first such cell. */
  whole: number;
  firstWhole: string | null;
  /** Number of ambiguous cells, by their mark: exactly three digits follow it, as in '1.299'. */
  open: Record<DecimalMark, number>;
  /** Number of ambiguous cells that end in 0, and in 000. */
  openTens: number;
  openThousands: number;
  /** The first ambiguous cells, without repeats. */
  examples: string[];
  /** The sum of all numbers, and the sum since the last subtotal. */
  sum: number;
  section: number;
};

export const createMarkTally = (): MarkTally => ({
  proofs: { '.': 0, ',': 0 },
  decimalsMax: 0,
  whole: 0,
  firstWhole: null,
  open: { '.': 0, ',': 0 },
  openTens: 0,
  openThousands: 0,
  examples: [],
  sum: 0,
  section: 0,
});

const examplesMax = 3;
/** Longer cells are text. */
const charsMax = 64;

function hasOnlyDigits(text: string, isOther = (_char: string) => false): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (!isDigit(text.charCodeAt(at)) && !isOther(text.charAt(at))) return false;
  }
  return true;
}
const isDecimalMark = (char: string) => char === '.' || char === ',';
const isDash = (char: string) => char === '-' || char === '–' || char === '—';

/** Groups: the number with its marks, and a dash in place of decimals ('12,-'). */
const amount = /^[^\d.,]*([\d.,](?:[\d.,'’ \u00a0\u202f]*[\d.,])?)( ?[-–—]{1,2}|\/[-–—])?[^\d]*$/;

/** Counts a cell of a column. Cells that are not numbers are ignored. */
export function tallyCell(tally: MarkTally, cell: string): void {
  if (cell === '' || cell.length > charsMax) return;
  if (tally.firstWhole === null && hasOnlyDigits(cell)) tally.firstWhole = cell;
  const text = cell.trim();
  const from = findNumberStart(text);
  if (from === text.length) return;
  const to = findNumberEnd(text, from);
  const usual = text.slice(from, to);
  // Nearly all numbers consist of digits and marks, without a dash after them, and need no regular expression.
  if (hasOnlyDigits(usual, isDecimalMark) && !isDash(text.charAt(to)) && !isDash(text.charAt(to + 1))) {
    addTo(tally, Number(parseMoney(text)?.amount ?? 0));
    countNumber(tally, text, usual, undefined);
    return;
  }
  const [, number, dash] = amount.exec(text) ?? [];
  if (number === undefined) return;
  addTo(tally, Number(parseMoney(text)?.amount ?? 0));
  countNumber(tally, text, number.replaceAll(/[\s\u00a0\u202f]/g, ' '), dash);
}

function addTo(tally: MarkTally, number: number): void {
  tally.sum += number;
  tally.section += number;
}

/** Whether a cell's number is the sum of the cells before it, or of the cells since the last subtotal. */
export function isSum({ sum, section }: MarkTally, cell: string): boolean {
  const number = Number(parseMoney(cell.trim())?.amount);
  // Sums of floating-point numbers are inexact, so a small difference is allowed.
  return number > 0 && [sum, section].some((other) => Math.abs(number - other) < 0.005 + other * 1e-9);
}

function countNumber(tally: MarkTally, cell: string, number: string, dash: string | undefined): void {
  const at = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','));
  if (at < 0) {
    tally.whole += 1;
    return;
  }
  const mark = number.charAt(at) as DecimalMark;
  const [before, after] = [number.slice(0, at), number.slice(at + 1)];
  const isAlone = !before.includes('.') && !before.includes(',');
  if (after === '') {
    // In '2.450,-' the comma is the decimal mark. In '12,' the comma proves nothing.
    if (dash !== undefined && !dash.startsWith('/')) prove(tally, mark, 0);
    else if (isAlone) tally.whole += 1;
    return;
  }
  // '2,499/-' has no decimals, so its mark separates thousands.
  if (dash?.startsWith('/')) {
    prove(tally, otherMark(mark), 0);
    return;
  }
  if (isAlone) {
    const couldGroup = after.length === 3 && /^[1-9]\d{0,2}$/.test(before);
    if (!couldGroup) {
      prove(tally, mark, after.length);
      return;
    }
    tally.open[mark] += 1;
    if (after.endsWith('0')) tally.openTens += 1;
    if (after === '000') tally.openThousands += 1;
    if (tally.examples.length < examplesMax && !tally.examples.includes(cell)) tally.examples.push(cell);
    return;
  }
  // A mark that repeats separates thousands: '1.299.000'.
  if (before.includes(mark)) prove(tally, otherMark(mark), 0);
  else prove(tally, mark, after.length);
}

function prove(tally: MarkTally, mark: DecimalMark, decimals: number): void {
  tally.proofs[mark] += 1;
  if (decimals > tally.decimalsMax) tally.decimalsMax = decimals;
}

export const otherMark = (mark: DecimalMark): DecimalMark => (mark === '.' ? ',' : '.');

/** At least this share of the cells that prove a mark must agree. */
const agreeMin = 0.98;

/** Returns the decimal mark that at least 98 % of the unambiguous cells prove, or null. */
export function provenMark({ proofs }: MarkTally): DecimalMark | null {
  const all = proofs['.'] + proofs[','];
  const mark = proofs['.'] >= proofs[','] ? '.' : ',';
  return all > 0 && proofs[mark] >= all * agreeMin ? mark : null;
}

/**
 * Returns the decimal mark that a column's numbers without a mark imply, or null. Next to '189', '2.450' is 2450,
 * because 2.45 would be written '2.45'. A quantity '5.000' is 5000, unless every quantity ends in '.000'.
 */
export function impliedMark(tally: MarkTally, isOfPieces: boolean): DecimalMark | null {
  const { proofs, whole, open, openTens, openThousands } = tally;
  const isOneMark = open['.'] === 0 || open[','] === 0;
  if (proofs['.'] + proofs[','] > 0 || !isOneMark) return null;
  const groups = isOfPieces
    ? whole > 0 || openThousands < countAmbiguousCells(tally)
    : whole > 0 && openTens > 0;
  if (!groups || countAmbiguousCells(tally) === 0) return null;
  return open['.'] > 0 ? ',' : '.';
}

/** Whether all numbers of a column are whole and have no mark. */
export const hasOnlyWholeNumbers = (tally: MarkTally): boolean =>
  tally.whole > 0 && tally.proofs['.'] + tally.proofs[','] + countAmbiguousCells(tally) === 0;

/** Returns the number of ambiguous cells. */
export const countAmbiguousCells = ({ open }: MarkTally): number => open['.'] + open[','];

const twoWays = /^[^\d.,]*[1-9]\d{0,2}([.,])(\d{3})[^\d.,]*$/;

/** Returns an ambiguous cell's mark and the digits after the mark, or null if the cell is not ambiguous. */
export function parseAmbiguousCell(cell: string): { mark: DecimalMark; after: string } | null {
  if (cell.length < 5 || cell.length > charsMax) return null;
  // Rejects cells like '12.50' quickly: an ambiguous number at the end of a cell has its mark before three digits.
  if (isDigit(cell.charCodeAt(cell.length - 1)) && !isDecimalMark(cell.charAt(cell.length - 4))) return null;
  const [, mark, after] = twoWays.exec(cell) ?? [];
  return mark === undefined || after === undefined ? null : { mark: mark as DecimalMark, after };
}

/** Returns the decimal mark that at least 98 % of a column's unambiguous cells prove, or null. */
export function detectDecimalMark(cells: Iterable<string | undefined>): DecimalMark | null {
  const tally = createMarkTally();
  for (const cell of cells) if (cell !== undefined) tallyCell(tally, cell);
  return provenMark(tally);
}
