import type { Dialect } from '../dialect.ts';
import { type ColumnHabit, isLike, isOfOneKind, isTypical, looksLike } from './column-profile.ts';
import { gluedCells, holdsOne, isOneCell, wholeQuoted } from './glued-cells.ts';

/** More separators than these are no slip. */
const extraMax = 8;
/** A blank cell is no wonder where so large a share of the column is blank. */
const oftenBlank = 0.1;

type Separators = Pick<Dialect, 'delimiter' | 'quote' | 'spaceAfterDelimiter'>;

/** One way to read a record: cells that all fit their columns. */
type Reading = {
  cells: string[];
  /** The file says that it was meant so; otherwise it only might be, and then nobody can say which it is. */
  isShown: () => boolean;
};

/**
 * The cells of a record that has a separator too many or too few, as they are meant; null where nobody can say. They
 * are set right only where they are unlike the columns in which they stand, exactly one change makes all of them
 * alike, and that is no chance: an empty cell left out, a text put together that separators had cut, a cell cut in two,
 * or an empty one added.
 */
export function meantCells(
  cells: readonly string[],
  habits: readonly ColumnHabit[],
  separators: Separators,
): string[] | null {
  const extra = cells.length - habits.length;
  if (extra === 0 || extra < -1 || extra > extraMax) return null;
  const places = Math.min(cells.length, habits.length);
  const stands = cells.slice(0, places).every((cell, column) => isLike(cell, habits[column] as ColumnHabit));
  // A record that ends early is right as it is, unless a quote shows that a cell is two.
  const isQuoted = separators.quote !== '' && cells.some((cell) => cell.includes(separators.quote));
  if (stands && (extra > 0 || !isQuoted)) return null;
  if (extra > 0) return onlyOne(withFewer(cells, habits, separators), habits);
  return onlyOne(withOneMore(cells, habits, separators, stands), habits);
}

type Fit = {
  /** The cells before this one are like the columns in which they stand. */
  before(index: number): boolean;
  /** This cell and those behind it are like the columns that they stand in once the change is made. */
  from(index: number): boolean;
  /** Of those more come to a column of cells like them than leave one. */
  comeHome(index: number): boolean;
};

function fitOf(
  cells: readonly string[],
  habits: readonly ColumnHabit[],
  fits: (cell: string, habit: ColumnHabit) => boolean,
): Fit {
  const extra = cells.length - habits.length;
  const isAt = (column: number, cell: string | undefined) => {
    const habit = habits[column];
    return habit !== undefined && fits(cell ?? '', habit);
  };
  const isAtHome = (column: number, cell: string) => {
    const habit = habits[column];
    return habit !== undefined && isOfOneKind(habit) && isTypical(cell, habit);
  };
  let right = 0;
  while (right < habits.length && isAt(right, cells[right])) right += 1;
  let left = cells.length;
  while (left > 0 && isAt(left - 1 - extra, cells[left - 1])) left -= 1;
  return {
    before: (index) => index <= right,
    from: (index) => index >= left,
    comeHome(index) {
      let more = 0;
      for (let at = index; at < cells.length; at += 1) {
        const cell = cells[at] as string;
        more += Number(isAtHome(at - extra, cell)) - Number(isAtHome(at, cell));
      }
      return more > 0;
    },
  };
}

function* withFewer(
  cells: readonly string[],
  habits: readonly ColumnHabit[],
  separators: Separators,
): Generator<Reading> {
  const extra = cells.length - habits.length;
  const fit = fitOf(cells, habits, isLike);
  // Behind a comma in a text there mostly is a space: then that is the slip.
  const isPiece = (cell: string) => cell.startsWith(' ') && !isBlank(cell);
  const pieces = cells.filter(isPiece).length;
  for (const [index, habit] of habits.entries()) {
    if (!fit.before(index)) break;
    if (extra === 1 && isBlank(cells[index]) && fit.from(index + 1)) {
      yield { cells: cells.toSpliced(index, 1), isShown: () => pieces === 0 && fit.comeHome(index + 1) };
    }
    const behind = index + extra + 1;
    const parts = cells.slice(index, behind);
    if (!fit.from(behind) || isBlank(parts[0]) || isBlank(parts.at(-1))) continue;
    const text = joined(parts, habit, separators);
    if (!isLike(text, habit)) continue;
    const isCut = habit.kind !== null && !parts.some(isBlank) && pieces === parts.filter(isPiece).length;
    yield { cells: cells.toSpliced(index, extra + 1, text), isShown: () => isCut && fit.comeHome(behind) };
  }
}

function joined(
  parts: readonly string[],
  habit: ColumnHabit,
  { delimiter, quote, spaceAfterDelimiter }: Separators,
): string {
  const text = parts.join(spaceAfterDelimiter && !isOfOneKind(habit) ? `${delimiter} ` : delimiter);
  return wholeQuoted(text.trim(), quote) ?? text;
}

/** `stands`: the record may as well end early. */
function* withOneMore(
  cells: readonly string[],
  habits: readonly ColumnHabit[],
  { quote }: Separators,
  stands: boolean,
): Generator<Reading> {
  const fit = fitOf(cells, habits, (cell, habit) => isLike(cell, habit) && looksLike(cell, habit));
  for (const [index, cell] of cells.entries()) {
    if (!fit.before(index)) break;
    const first = habits[index] as ColumnHabit;
    const second = habits[index + 1] as ColumnHabit;
    if (!stands && first.blank > 0 && fit.from(index)) {
      const isShown = () =>
        first.blank >= oftenBlank && fit.comeHome(index) && !standsBeside(index, cells, habits);
      yield { cells: cells.toSpliced(index, 0, ''), isShown };
    }
    if (!fit.from(index + 1)) continue;
    const isOne = isOneCell(cell, first) || isOneCell(cell, second);
    for (const { left, right, sure } of gluedCells(cell, [first, second], quote, stands)) {
      yield { cells: cells.toSpliced(index, 1, left, right), isShown: () => sure && !isOne };
    }
  }
}

/** Whether what should stand in place of an empty cell may be in its neighbours, or be one of them. */
function standsBeside(index: number, cells: readonly string[], habits: readonly ColumnHabit[]): boolean {
  const habit = habits[index] as ColumnHabit;
  const isBeside = (cell: string | undefined, own: ColumnHabit | undefined, where: 'start' | 'end') => {
    if (cell === undefined || own === undefined) return false;
    return (own.shapes === undefined && isOneCell(cell, habit)) || holdsOne(cell, where, own, habit);
  };
  return (
    isBeside(cells[index - 1], habits[index - 1], 'end') || isBeside(cells[index], habits[index + 1], 'start')
  );
}

/** The one reading that there is, if the file shows it. Two changes may come to the same cells. */
function onlyOne(readings: Iterable<Reading>, habits: readonly ColumnHabit[]): string[] | null {
  let first: string[] | null = null;
  let isShown = false;
  for (const reading of readings) {
    first ??= reading.cells;
    if (reading.cells.some((cell, column) => cell !== first?.[column])) return null;
    isShown ||= reading.isShown();
  }
  return isShown && first?.every((cell, column) => looksLike(cell, habits[column] as ColumnHabit))
    ? first
    : null;
}

const isBlank = (cell: string | undefined) => (cell ?? '').trim() === '';
