import { type CellKind, cellKind } from './cell-kind.ts';

/** What all regular rows of a file's head have in a column. */
export type ColumnHabit = {
  /** The kind of every cell that is not blank; null: they differ, or are text, which may be anything. */
  kind: Exclude<CellKind, 'text'> | null;
  /** Some are blank. */
  blank: boolean;
  /** The shapes of numbers, dates and codes, where there are few. */
  shapes?: readonly string[];
};

/** Fewer rows show no habit. */
const rowsMin = 5;
/** And at least so large a share of the rows must be regular. */
const regularMin = 0.5;
const columnsMax = 100;
const shapesMax = 12;

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

/** Whether a cell is like those of its column. */
export function isLike(cell: string, { kind, blank }: ColumnHabit): boolean {
  const found = cellKind(cell);
  if (found === 'empty') return blank;
  return kind === null || found === kind || (kind === 'code' && found === 'number');
}

/** Whether it even looks the same: `$24.99` does where there are `$12.50` and `$7.00`, `$24.9` does not. */
export function looksLike(cell: string, { shapes }: ColumnHabit): boolean {
  return shapes === undefined || cell.trim() === '' || shapes.includes(shapeOf(cell.trim()));
}

function habitOf(cells: readonly string[]): ColumnHabit {
  const given = cells.filter((cell) => cell !== '');
  const blank = given.length < cells.length;
  const kind = kindOf(given);
  if (kind === null || kind === 'empty' || kind === 'link') return { kind, blank };
  const shapes = new Set(given.map(shapeOf));
  return shapes.size > shapesMax ? { kind, blank } : { kind, blank, shapes: [...shapes] };
}

function kindOf(given: readonly string[]): ColumnHabit['kind'] {
  const kinds = new Set(given.map(cellKind));
  if (kinds.size === 0) return 'empty';
  if (kinds.has('text')) return null;
  const [first] = kinds;
  if (kinds.size === 1) return first as ColumnHabit['kind'];
  return kinds.size === 2 && kinds.has('code') && kinds.has('number') ? 'code' : null;
}

const shapeOf = (text: string) =>
  text
    .slice(0, 40)
    .replace(/\p{Lu}/gu, 'A')
    .replace(/\p{Ll}/gu, 'a')
    .replace(/\d/g, '0');
