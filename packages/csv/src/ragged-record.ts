import { type ColumnHabit, isLike, looksLike } from './column-habits.ts';
import type { Dialect } from './dialect.ts';

/** More separators than these are no slip. */
const extraMax = 8;
/** In longer texts the place where two cells were glued together is not searched, unless a quote shows it. */
const gluedCharsMax = 120;

type Separators = Pick<Dialect, 'delimiter' | 'quote' | 'spaceAfterDelimiter'>;

/**
 * The cells of a record that has a separator too many or too few, as they are meant; null where nobody can say. They
 * are set right only where they are unlike the columns in which they stand and exactly one change makes all of them
 * alike: an empty cell left out, a text put together that separators had cut, a cell cut in two, or an empty one added.
 */
export function meantCells(
  cells: readonly string[],
  habits: readonly ColumnHabit[],
  separators: Separators,
): string[] | null {
  const extra = cells.length - habits.length;
  if (extra === 0 || extra < -1 || extra > extraMax) return null;
  const fit = fitOf(cells, habits, extra);
  if (extra > 0) return fit.stands ? null : onlyOne(withFewer(cells, habits, fit, separators));
  return onlyOne(mostAlike(withOneMore(cells, habits, fit, separators), habits));
}

type Fit = {
  /** The record's cells are like their columns as they stand, even if it ends early or goes on behind the last one. */
  stands: boolean;
  /** The cells before this one are like the columns in which they stand. */
  before(index: number): boolean;
  /** This cell and those behind it are like the columns that they stand in once the change is made. */
  from(index: number): boolean;
};

function fitOf(cells: readonly string[], habits: readonly ColumnHabit[], extra: number): Fit {
  const isLikeAt = (column: number, cell: string | undefined) => {
    const habit = habits[column];
    return habit !== undefined && isLike(cell ?? '', habit);
  };
  let right = 0;
  while (right < habits.length && isLikeAt(right, cells[right])) right += 1;
  let left = cells.length;
  while (left > 0 && isLikeAt(left - 1 - extra, cells[left - 1])) left -= 1;
  return {
    stands: right >= Math.min(cells.length, habits.length),
    before: (index) => index <= right,
    from: (index) => index >= left,
  };
}

function withFewer(
  cells: readonly string[],
  habits: readonly ColumnHabit[],
  fit: Fit,
  { delimiter, spaceAfterDelimiter }: Separators,
): string[][] {
  const extra = cells.length - habits.length;
  const found: string[][] = [];
  for (const [index, habit] of habits.entries()) {
    if (!fit.before(index)) break;
    const behind = index + extra + 1;
    if (extra === 1 && isBlank(cells[index]) && fit.from(index + 1)) {
      found.push(cells.toSpliced(index, 1));
    }
    const pieces = cells.slice(index, behind);
    if (!fit.from(behind) || isBlank(pieces[0]) || isBlank(pieces.at(-1))) continue;
    const text = pieces.join(spaceAfterDelimiter ? `${delimiter} ` : delimiter);
    if (isLike(text, habit)) found.push(cells.toSpliced(index, extra + 1, text));
  }
  return found;
}

function withOneMore(
  cells: readonly string[],
  habits: readonly ColumnHabit[],
  fit: Fit,
  { quote }: Separators,
): string[][] {
  const found: string[][] = [];
  for (const [index, cell] of cells.entries()) {
    if (!fit.before(index)) break;
    const first = habits[index] as ColumnHabit;
    const second = habits[index + 1] as ColumnHabit;
    if (!fit.stands && first.blank && fit.from(index) && areTypicalAround(index, cells, habits)) {
      found.push(cells.toSpliced(index, 0, ''));
    }
    if (!fit.from(index + 1)) continue;
    const isSearched = !fit.stands && (first.kind !== null || second.kind !== null);
    for (const [left, right] of halves(cell, quote, isSearched)) {
      if (isTypical(left, first) && isTypical(right, second)) {
        found.push(cells.toSpliced(index, 1, left, right));
      }
    }
  }
  return found;
}

/** Whether what stands beside an empty cell that was left out is one cell, and not two without a separator. */
function areTypicalAround(index: number, cells: readonly string[], habits: readonly ColumnHabit[]): boolean {
  return [index - 1, index].every((at) => {
    const habit = habits[at < index ? at : at + 1];
    return habit === undefined || looksLike(cells[at] as string, habit);
  });
}

/** Where a cell may be two: at a quote, from which one of them was quoted; and anywhere, where that is searched. */
function* halves(cell: string, quote: string, isSearched: boolean): Generator<[left: string, right: string]> {
  for (let at = 1; isSearched && cell.length <= gluedCharsMax && at < cell.length; at += 1) {
    yield [cell.slice(0, at), cell.slice(at)];
  }
  if (quote === '') return;
  for (const at of new Set([cell.indexOf(quote, 1), cell.lastIndexOf(quote, cell.length - 2)])) {
    if (at < 1) continue;
    const left = cell.startsWith(quote) ? cell.slice(1, at) : cell.slice(0, at);
    const right = cell.endsWith(quote) ? cell.slice(at + 1, -1) : cell.slice(at + 1);
    yield [left, right.replaceAll(quote + quote, quote)];
  }
}

const isTypical = (cell: string, habit: ColumnHabit) =>
  !isBlank(cell) && isLike(cell, habit) && looksLike(cell, habit);

/** Of several ways those in which most cells look like the others of their column. */
function mostAlike(found: readonly string[][], habits: readonly ColumnHabit[]): string[][] {
  const alike = found.map(
    (cells) => cells.filter((cell, at) => looksLike(cell, habits[at] as ColumnHabit)).length,
  );
  const most = Math.max(...alike);
  return found.filter((_, index) => alike[index] === most);
}

/** Two changes may come to the same cells. */
function onlyOne(found: readonly string[][]): string[] | null {
  const [first] = found;
  if (first === undefined) return null;
  return found.every((other) => other.every((cell, column) => cell === first[column])) ? first : null;
}

const isBlank = (cell: string | undefined) => (cell ?? '').trim() === '';
