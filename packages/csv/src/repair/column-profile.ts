import { type CellKind, cellKind } from '../detect/cell-kind.ts';

/** What the regular rows of a file's head have in a column. */
export type ColumnHabit = {
  /** The kind of nearly every cell that is not blank; null: they differ. */
  kind: CellKind | null;
  /** The share of its cells that are blank. */
  blank: number;
  /** The shapes of its cells, where there are few. */
  shapes?: readonly string[];
  /** Where there are many: so long may one be. */
  charsMax?: number;
};

/** Fewer rows show no habit. */
const rowsMin = 5;
/** And at least so large a share of the rows must be regular. */
const regularMin = 0.5;
/** So large a share of the cells is of a column's kind: a 'call us' among a hundred prices is no price. */
const kindMin = 0.9;
const columnsMax = 100;
const shapesMax = 12;
/** Words have as many shapes as there are words: they say something where each comes back so often, in so many cells. */
const cellsPerShape = 4;
const wordsMin = 20;
/** A text may be somewhat longer than all that were seen; two that lost the separator between them mostly are more. */
const longer = 1.5;

/**
 * Judges the habits of the columns by the rows of the head that have as many cells as there are columns. Undefined
 * where too few of them do, so that nobody can say what belongs where.
 */
export function columnHabits(rows: readonly string[][], columns: number): readonly ColumnHabit[] | undefined {
  const regular = rows.filter((row) => row.length === columns);
  if (regular.length < Math.max(rowsMin, rows.length * regularMin) || columns > columnsMax) return undefined;
  return Array.from({ length: columns }, (_, column) =>
    habitOf(regular.map((row) => (row[column] as string).trim())),
  );
}

/** Whether only cells of one kind stand there, so that a cell of that kind belongs there. */
export function isOfOneKind({ kind }: ColumnHabit): boolean {
  return kind !== null && kind !== 'text' && kind !== 'empty';
}

/** Whether a cell is like those of its column. Among texts, and where kinds differ, every one is. */
export function isLike(cell: string, { kind, blank }: ColumnHabit): boolean {
  const found = cellKind(cell);
  if (found === 'empty') return blank > 0;
  return kind === null || kind === 'text' || found === kind || (kind === 'code' && found === 'number');
}

/** Whether it even looks the same: `$24.99` does where there are `$12.50` and `$7.00`, `$24.9` does not. */
export function looksLike(cell: string, { kind, shapes, charsMax }: ColumnHabit): boolean {
  const text = cell.trim();
  if (text === '') return true;
  if (shapes !== undefined) return shapes.includes(shapeOf(text));
  if (kind === 'text' && cellKind(text) !== 'text') return false;
  return text.length <= (charsMax ?? Number.POSITIVE_INFINITY);
}

/** Whether a cell that is not blank is and looks like those of its column. */
export function isTypical(cell: string, habit: ColumnHabit): boolean {
  return cell.trim() !== '' && isLike(cell, habit) && looksLike(cell, habit);
}

function habitOf(cells: readonly string[]): ColumnHabit {
  const given = cells.filter((cell) => cell !== '');
  const blank = cells.length === 0 ? 0 : (cells.length - given.length) / cells.length;
  const kind = kindOf(given);
  if (kind === 'empty') return { kind, blank };
  const shapes = [...new Set(given.map(shapeOf))];
  const comeBack = given.length >= Math.max(wordsMin, shapes.length * cellsPerShape);
  if (shapes.length <= shapesMax && (comeBack || isOfOneKind({ kind, blank })))
    return { kind, blank, shapes };
  return { kind, blank, charsMax: Math.ceil(Math.max(...given.map(({ length }) => length)) * longer) };
}

function kindOf(given: readonly string[]): CellKind | null {
  if (given.length === 0) return 'empty';
  const counts = new Map<CellKind, number>();
  for (const cell of given) counts.set(cellKind(cell), (counts.get(cellKind(cell)) ?? 0) + 1);
  const share = (kind: CellKind) => (counts.get(kind) ?? 0) / given.length;
  for (const kind of counts.keys()) if (share(kind) >= kindMin) return kind;
  return share('code') + share('number') >= kindMin ? 'code' : null;
}

const shapeChars = 40;

/** `$00.00` of `$12.50`, `Aaaa` of `Lamp`; of a link only how it begins. */
function shapeOf(text: string): string {
  const start = /^(?:[a-z]+:\/\/|www\.)/i.exec(text)?.[0];
  let shape = '';
  for (const char of start ?? text.slice(0, shapeChars)) shape += shapeOfChar(char);
  return shape;
}

function shapeOfChar(char: string): string {
  if (char >= '0' && char <= '9') return '0';
  if (char >= 'a' && char <= 'z') return 'a';
  if (char >= 'A' && char <= 'Z') return 'A';
  if (char < '\u0080') return char;
  if (/\p{Lu}/u.test(char)) return 'A';
  return /\p{Ll}/u.test(char) ? 'a' : char;
}
