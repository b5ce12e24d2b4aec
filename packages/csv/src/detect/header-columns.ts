import type { Dialect } from '../dialect.ts';
import { type ColumnHabit, columnHabits } from '../repair/column-profile.ts';
import { commonWidth } from './common-width.ts';
import { countHeaderWords, kindNamedBy } from './header-vocabulary.ts';

/** Rows as wide as most, among all, that make a width the table's. */
const alikeMin = 0.9;
const rowsMin = 2;
/** A header that is said over and over says nothing new; so many times it is looked for. */
const headerRecordsMax = 5;
const nameCharsMax = 40;

export type HeaderColumns = Pick<
  Dialect,
  'headerRecords' | 'strayHeaderCell' | 'gluedHeaderCell' | 'unnamedFirstColumn' | 'columns'
>;

/**
 * How many records are the header, and where it is not as wide as the rows below it: which of its cells stand above
 * which column. `records` are those of the head. In doubt each cell stands above the one in its place, and rows are
 * ragged.
 */
export function headerColumns(records: readonly string[][], headerRecord: number): HeaderColumns {
  const header = records[headerRecord] ?? [];
  const headerRecords = sameRecords(records, headerRecord);
  const rows = records.slice(headerRecord + headerRecords);
  return { ...(headerRecords > 1 ? { headerRecords } : {}), ...columnsBelow(header, rows) };
}

function columnsBelow(header: readonly string[], rows: readonly string[][]): HeaderColumns {
  const { width, count } = commonWidth(rows);
  if (count < rowsMin || count < rows.length * alikeMin || width === header.length) return {};
  const regular = rows.filter((row) => row.length === width);
  const isNumbered = countsUp(regular.map((row) => row[0] as string));
  if (header.length === width + 1) {
    const blank = header.findIndex(isBlank);
    const isOnly = blank >= 0 && !header.slice(blank + 1).some(isBlank);
    // Above numbers of the rows an empty name is right, and what the rows lack is their last cell.
    const isStray = blank === width || (blank === 0 && !isNumbered);
    return isOnly && isStray ? { strayHeaderCell: blank } : {};
  }
  if (header.length > width) return {};
  const glued = header.length === width - 1 ? gluedNames(header, columnHabits(rows, width) ?? []) : null;
  if (glued !== null) return { gluedHeaderCell: glued };
  if (regular.every((row) => row.slice(header.length).every(isBlank))) return { columns: width };
  return header.length === width - 1 && isNumbered ? { unnamedFirstColumn: true } : {};
}

/** The cells of the records of a header, without a separator too many or too few. */
export function headerCells(records: readonly string[][], dialect: HeaderColumns): string[] {
  return meantNames(records, dialect).map((parts) => parts.join(' '));
}

/** The names of a header's records, each where its column is; a name that is said in several of them is said once. */
export function namesByColumn(records: readonly string[][], dialect: HeaderColumns): string[] {
  const names = meantNames(records, dialect).map((parts) =>
    [...new Set(parts.map((part) => part.trim()))].join(' '),
  );
  if (dialect.unnamedFirstColumn) names.unshift('');
  while (names.length < (dialect.columns ?? 0)) names.push('');
  return names;
}

function meantNames(records: readonly string[][], dialect: HeaderColumns): string[][] {
  const { strayHeaderCell, gluedHeaderCell } = dialect;
  const lines = records.map((cells) => {
    if (gluedHeaderCell) {
      const { cell, at } = gluedHeaderCell;
      const name = cells[cell] ?? '';
      return cells.toSpliced(cell, 1, name.slice(0, at), name.slice(at));
    }
    return cells.filter((_, index) => index !== strayHeaderCell);
  });
  return (lines[0] ?? []).map((_, column) => lines.map((line) => line[column] ?? ''));
}

function sameRecords(records: readonly string[][], from: number): number {
  const header = records[from] ?? [];
  if (header.length < 2) return 1;
  let count = 1;
  while (count < headerRecordsMax && isSame(header, records[from + count])) count += 1;
  return count;
}

const isSame = (header: readonly string[], record: readonly string[] | undefined) =>
  record?.length === header.length && record.every((cell, at) => cell.trim() === header[at]?.trim());

/**
 * Where names stand above cells of another kind: the one place in which a header cell may be two known names so that
 * every name stands above cells of its kind.
 */
function gluedNames(
  header: readonly string[],
  habits: readonly ColumnHabit[],
): { cell: number; at: number } | null {
  if (standAboveTheirKind(header, habits)) return null;
  const found: { cell: number; at: number }[] = [];
  for (const [cell, name] of header.entries()) {
    for (let at = 1; at < Math.min(name.length, nameCharsMax); at += 1) {
      const names = header.toSpliced(cell, 1, name.slice(0, at), name.slice(at));
      const areNames = countHeaderWords(names.slice(cell, cell + 2)) === 2;
      if (areNames && standAboveTheirKind(names, habits)) found.push({ cell, at });
    }
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}

function standAboveTheirKind(names: readonly string[], habits: readonly ColumnHabit[]): boolean {
  return habits.every(({ kind }, column) => {
    const named = kindNamedBy(names[column] ?? '');
    return named === null || kind === null || kind === 'text' || kind === 'empty' || kind === named;
  });
}

const isBlank = (cell: string) => cell.trim() === '';

function countsUp(cells: readonly string[]): boolean {
  return cells.every(
    (cell, at) => /^\d+$/.test(cell) && (at === 0 || Number(cell) === Number(cells[at - 1]) + 1),
  );
}
