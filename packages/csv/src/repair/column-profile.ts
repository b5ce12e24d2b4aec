import { type CellKind, cellKind } from '../detect/cell-kind.ts';

export type ColumnProfile = {
  /** The kind of the column's filled cells, or null if their kinds differ. */
  kind: CellKind | null;
  /** The share of blank cells, 0 to 1. */
  blank: number;
  shapes?: readonly string[];
  /** Maximum length of a plausible cell. Set instead of `shapes` if the column has many shapes. */
  charsMax?: number;
};

const rowsMin = 5;
const regularMin = 0.5;
/** Minimum share of cells of one kind: a single 'call us' among a hundred prices does not count. */
const kindMin = 0.9;
const columnsMax = 100;
const shapesMax = 12;
/** The shapes of texts are kept only if there are at least `wordsMin` texts, and this many per shape on average. */
const cellsPerShape = 4;
const wordsMin = 20;
/** A text may be this many times as long as the longest text of the sample. Two joined texts are mostly longer. */
const longer = 1.5;

/** Returns the profiles of columns from rows of this width. Undefined for too few such rows or over 100 columns. */
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

/** Whether a column has a kind other than text, so that a cell of this kind is evidence for the column. */
export function isTypedColumn({ kind }: ColumnProfile): boolean {
  return kind !== null && kind !== 'text' && kind !== 'empty';
}

/** Whether a cell has its column's kind. Every filled cell fits a column of text or of mixed kinds. */
export function hasColumnKind(cell: string, { kind, blank }: ColumnProfile): boolean {
  const found = cellKind(cell);
  if (found === 'empty') return blank > 0;
  return kind === null || kind === 'text' || found === kind || (kind === 'code' && found === 'number');
}

/** Whether a cell has a shape of its column: `$24.99` fits in among `$12.50` and `$7.00`, but `$24.9` does not. */
export function hasColumnShape(cell: string, { kind, shapes, charsMax }: ColumnProfile): boolean {
  const text = cell.trim();
  if (text === '') return true;
  if (shapes !== undefined) return shapes.includes(shapeOf(text));
  if (kind === 'text' && cellKind(text) !== 'text') return false;
  return text.length <= (charsMax ?? Number.POSITIVE_INFINITY);
}

export function isTypicalCell(cell: string, profile: ColumnProfile): boolean {
  return cell.trim() !== '' && hasColumnKind(cell, profile) && hasColumnShape(cell, profile);
}

function profileOf(cells: readonly string[]): ColumnProfile {
  const given = cells.filter((cell) => cell !== '');
  const blank = cells.length === 0 ? 0 : (cells.length - given.length) / cells.length;
  const kind = kindOf(given);
  if (kind === 'empty') return { kind, blank };
  const shapes = [...new Set(given.map(shapeOf))];
  const recur = given.length >= Math.max(wordsMin, shapes.length * cellsPerShape);
  if (shapes.length <= shapesMax && (recur || isTypedColumn({ kind, blank }))) return { kind, blank, shapes };
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

/** Returns the shape of a text: `$00.00` for `$12.50`, `Aaaa` for `Lamp`, and only the beginning of a link. */
function shapeOf(text: string): string {
  const start = /^(?:[a-z]+:\/\/|www\.)/i.exec(text)?.[0];
  let shape = '';
  let chars = 0;
  // Iterates over code points, because a cut at the 40th unit could leave half an emoji.
  for (const char of start ?? text) {
    shape += shapeOfChar(char);
    chars += 1;
    if (chars === shapeChars) break;
  }
  return shape;
}

/** Shapes are stored with the dialect, so they must not contain these characters. */
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
