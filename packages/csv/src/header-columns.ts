import type { Dialect } from './dialect.ts';

/** Rows as wide as most, among all, that make a width the table's. */
const alikeMin = 0.9;
const rowsMin = 2;

export type HeaderColumns = Pick<Dialect, 'strayHeaderCell' | 'unnamedFirstColumn' | 'columns'>;

/**
 * Where the header record is not as wide as the rows below it: which of its cells stand above which column. `records`
 * are those of the head. In doubt each cell stands above the one in its place, and rows are ragged.
 */
export function headerColumns(records: readonly string[][], headerRecord: number): HeaderColumns {
  const header = records[headerRecord] ?? [];
  const rows = records.slice(headerRecord + 1);
  const width = commonWidth(rows);
  if (width === null || width === header.length) return {};
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
  if (regular.every((row) => row.slice(header.length).every(isBlank))) return { columns: width };
  return header.length === width - 1 && isNumbered ? { unnamedFirstColumn: true } : {};
}

/** The cells of a header record, each where its column is. */
export function namesByColumn(cells: readonly string[], dialect: HeaderColumns): string[] {
  const names = cells.filter((_, index) => index !== dialect.strayHeaderCell);
  if (dialect.unnamedFirstColumn) names.unshift('');
  while (names.length < (dialect.columns ?? 0)) names.push('');
  return names;
}

function commonWidth(rows: readonly string[][]): number | null {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  for (const [width, count] of counts) if (count >= rowsMin && count >= rows.length * alikeMin) return width;
  return null;
}

const isBlank = (cell: string) => cell.trim() === '';

function countsUp(cells: readonly string[]): boolean {
  return cells.every(
    (cell, at) => /^\d+$/.test(cell) && (at === 0 || Number(cell) === Number(cells[at - 1]) + 1),
  );
}
