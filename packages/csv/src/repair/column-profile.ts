import { type CellKind, cellKind } from '../detect/cell-kind.ts';

/** What the cells of a column look like in the regular rows of a file's head. */
export type ColumnProfile = {
  /** The kind of nearly all cells that are not blank; null if kinds differ. */
  kind: CellKind | null;
  /** The share of blank cells, 0 to 1. */
  blank: number;
  /** The shapes of its cells, if there are few. */
  shapes?: readonly string[];
  /** If there are many shapes: how long a cell may be. */
  charsMax?: number;
};

/** With fewer rows there are no profiles. */
const rowsMin = 5;
/** The share of the rows that must be regular (have the right number of cells). */
const regularMin = 0.5;
/** The share of cells that must have the same kind: one 'call us' among a hundred prices does not change the kind. */
const kindMin = 0.9;
const columnsMax = 100;
const shapesMax = 12;
/** Texts have nearly as many shapes as cells. Shapes only count if each recurs this often, in this many cells. */
const cellsPerShape = 4;
const wordsMin = 20;
/** A text may be this much longer than all seen. Two texts without their separator are mostly longer still. */
const longer = 1.5;

/**
 * The profiles of the columns, from the rows of the head that have as many cells as there are columns. Undefined if too
 * few rows do, or there are more than 100 columns.
 */
export function columnProfiles(
  rows: readonly string[][],
  columns: number,
): readonly ColumnProfile[] | undefined {
  const regular = rows.filter((row) => row.length === columns);
  if (regular.length < Math.max(rowsMin, rows.length * regularMin) || columns > columnsMax) return undefined;
  return Array.from({ length: columns }, (_, column) =>
    profileOf(regular.map((row) => (row[column] as string).trim())),
  );
}

/** Whether the column holds only one kind, so that a cell of that kind is evidence for this column. */
export function isOfOneKind({ kind }: ColumnProfile): boolean {
  return kind !== null && kind !== 'text' && kind !== 'empty';
}

/** Whether a cell has the kind of its column. In columns of text or of several kinds every cell does. */
export function isLike(cell: string, { kind, blank }: ColumnProfile): boolean {
  const found = cellKind(cell);
  if (found === 'empty') return blank > 0;
  return kind === null || kind === 'text' || found === kind || (kind === 'code' && found === 'number');
}

/** Whether a cell has a shape of its column: next to `$12.50` and `$7.00`, `$24.99` does and `$24.9` does not. */
export function looksLike(cell: string, { kind, shapes, charsMax }: ColumnProfile): boolean {
  const text = cell.trim();
  if (text === '') return true;
  if (shapes !== undefined) return shapes.includes(shapeOf(text));
  if (kind === 'text' && cellKind(text) !== 'text') return false;
  return text.length <= (charsMax ?? Number.POSITIVE_INFINITY);
}

/** Whether a cell is not blank and has both kind and shape of its column. */
export function isTypical(cell: string, profile: ColumnProfile): boolean {
  return cell.trim() !== '' && isLike(cell, profile) && looksLike(cell, profile);
}

function profileOf(cells: readonly string[]): ColumnProfile {
  const given = cells.filter((cell) => cell !== '');
  const blank = cells.length === 0 ? 0 : (cells.length - given.length) / cells.length;
  const kind = kindOf(given);
  if (kind === 'empty') return { kind, blank };
  const shapes = [...new Set(given.map(shapeOf))];
  const recur = given.length >= Math.max(wordsMin, shapes.length * cellsPerShape);
  if (shapes.length <= shapesMax && (recur || isOfOneKind({ kind, blank }))) return { kind, blank, shapes };
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

/** `$00.00` for `$12.50`, `Aaaa` for `Lamp`; for a link only its beginning. */
function shapeOf(text: string): string {
  const start = /^(?:[a-z]+:\/\/|www\.)/i.exec(text)?.[0];
  let shape = '';
  let chars = 0;
  // By code points: cutting the text at its 40th unit could leave half an emoji.
  for (const char of start ?? text) {
    shape += shapeOfChar(char);
    chars += 1;
    if (chars === shapeChars) break;
  }
  return shape;
}

/** Shapes are stored with the dialect. */
const unstorable = /[\p{Cc}\p{Cs}]/u;

function shapeOfChar(char: string): string {
  if (char >= '0' && char <= '9') return '0';
  if (char >= 'a' && char <= 'z') return 'a';
  if (char >= 'A' && char <= 'Z') return 'A';
  if (unstorable.test(char)) return ' ';
  if (char < '\u0080') return char;
  if (/\p{Lu}/u.test(char)) return 'A';
  return /\p{Ll}/u.test(char) ? 'a' : char;
}
