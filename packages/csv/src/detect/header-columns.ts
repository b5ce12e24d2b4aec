import type { Dialect } from '../dialect.ts';
import { type ColumnProfile, columnProfiles } from '../repair/column-profile.ts';
import { commonWidth } from './common-width.ts';
import { countHeaderWords, kindImpliedByHeader } from './header-vocabulary.ts';

const alikeMin = 0.9;
const rowsMin = 2;
/** Up to this many equal records in succession form a header. Further copies are rows. */
const headerRecordsMax = 5;
const nameCharsMax = 40;

export type HeaderColumns = Pick<
  Dialect,
  'headerRecords' | 'strayHeaderCell' | 'gluedHeaderCell' | 'unnamedFirstColumn' | 'columns'
>;

/**
 * Returns the number of records in the header and, if rows and header differ in width, which cell names which column.
 * In doubt, each cell names the column at its index, and the rows count as ragged.
 */
export function headerColumns(records: readonly string[][], headerRecord: number): HeaderColumns {
  const header = records[headerRecord] ?? [];
  const headerRecords = sameRecords(records, headerRecord);
  const rows = records.slice(headerRecord + headerRecords);
  return { ...(headerRecords > 1 ? { headerRecords } : {}), ...columnsBelow(header, rows) };
}

/** Returns the columns of a sheet. A sheet has no separators to repair, so the widest record has all columns. */
export function sheetColumns(records: readonly string[][], headerRecord: number): HeaderColumns {
  const columns = records.reduce((widest, { length }) => Math.max(widest, length), 0);
  const headerRecords = headerRecord < 0 ? 1 : sameRecords(records, headerRecord);
  return { ...(headerRecords > 1 ? { headerRecords } : {}), columns };
}

function columnsBelow(header: readonly string[], rows: readonly string[][]): HeaderColumns {
  const { width, count } = commonWidth(rows);
  if (count < rowsMin || count < rows.length * alikeMin || width === header.length) return {};
  const regular = rows.filter((row) => row.length === width);
  const isNumbered = countsUp(regular.map((row) => row[0] as string));
  if (header.length === width + 1) {
    const blank = header.findIndex(isBlank);
    const isOnly = blank >= 0 && !header.slice(blank + 1).some(isBlank);
    // An empty header cell above row numbers is no stray but their header. The rows lack a cell at their end.
    const isStray = blank === width || (blank === 0 && !isNumbered);
    return isOnly && isStray ? { strayHeaderCell: blank } : {};
  }
  if (header.length > width) return {};
  const glued = header.length === width - 1 ? gluedNames(header, columnProfiles(rows, width) ?? []) : null;
  if (glued !== null) return { gluedHeaderCell: glued };
  if (regular.every((row) => row.slice(header.length).every(isBlank))) return { columns: width };
  return header.length === width - 1 && isNumbered ? { unnamedFirstColumn: true } : {};
}

/** Returns a header's cells, with a missing or extra separator repaired and repeated records joined. */
export function headerCells(records: readonly string[][], dialect: HeaderColumns): string[] {
  return nameParts(records, dialect).map((parts) => parts.join(' '));
}

/** Returns one name per column. A name that several columns share gets a prefix from the record `above` the header. */
export function nameColumns(
  records: readonly string[][],
  dialect: HeaderColumns,
  above: readonly string[] = [],
): string[] {
  const names = nameParts(records, dialect).map((parts) =>
    [...new Set(parts.map((part) => part.trim()))].join(' '),
  );
  if (dialect.unnamedFirstColumn) names.unshift('');
  while (names.length < (dialect.columns ?? 0)) names.push('');
  return records.length === 1 && above.length > 1 ? withGroups(names, above) : names;
}

const groupCharsMax = 40;

// Two columns 'Price' below 'Dealer' and 'Public' become 'Dealer Price' and 'Public Price'.
function withGroups(names: readonly string[], above: readonly string[]): string[] {
  const copies = Map.groupBy(names.keys(), (column) => names[column]?.trim().toLowerCase());
  copies.delete('');
  let group = '';
  const groups = names.map((_, column) => {
    group = above[column]?.trim() || group;
    return group.length > groupCharsMax ? '' : group;
  });
  const isApart = (columns: readonly number[]) =>
    columns.length > 1 && new Set(columns.map((column) => groups[column] || column)).size === columns.length;
  const told = new Set([...copies.values()].filter((columns) => isApart(columns)).flat());
  return names.map((name, column) =>
    told.has(column) && groups[column] ? `${groups[column]} ${name}` : name,
  );
}

function nameParts(records: readonly string[][], dialect: HeaderColumns): string[][] {
  const { strayHeaderCell, gluedHeaderCell } = dialect;
  const [first = [], second = first] = records;
  const given = isSubHeader(first, second) ? [spread(first, second), second] : records;
  const lines = given.map((cells) => {
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
  if (isSubHeader(header, records[from + 1] ?? [])) return 2;
  let count = 1;
  while (count < headerRecordsMax && isSame(header, records[from + count])) count += 1;
  return count;
}

// Whether `next` is a row of sub-headers below names that span columns: 'Dealer' and 'Public' below 'Price'.
function isSubHeader(header: readonly string[], next: readonly string[]): boolean {
  if (next.length !== header.length || header.length < 3) return false;
  let spans = 0;
  let isInSpan = false;
  for (const [column, cell] of next.entries()) {
    const isNamed = !isBlank(header[column] ?? '');
    if (isBlank(cell)) {
      isInSpan = false;
      continue;
    }
    if (/\d{3}|\d[.,]\d/.test(cell) || cell.length > groupCharsMax) return false;
    if (!isNamed && !isInSpan) return false;
    if (isNamed && isBlank(next[column + 1] ?? '')) return false;
    if (isNamed && !isBlank(header[column + 1] ?? '')) return false;
    if (isNamed) spans += 1;
    isInSpan = true;
  }
  return spans > 0;
}

function spread(header: readonly string[], below: readonly string[]): string[] {
  let name = '';
  return header.map((cell, column) => {
    if (!isBlank(cell)) name = cell.trim();
    return isBlank(cell) && !isBlank(below[column] ?? '') ? name : cell;
  });
}

const isSame = (header: readonly string[], record: readonly string[] | undefined) =>
  record?.length === header.length && record.every((cell, at) => cell.trim() === header[at]?.trim());

// Finds the header cell with two names. Null unless some column contradicts its name and exactly one split fits.
function gluedNames(
  header: readonly string[],
  profiles: readonly ColumnProfile[],
): { cell: number; at: number } | null {
  if (matchColumnKinds(header, profiles)) return null;
  const found: { cell: number; at: number }[] = [];
  for (const [cell, name] of header.entries()) {
    for (let at = 1; at < Math.min(name.length, nameCharsMax); at += 1) {
      const names = header.toSpliced(cell, 1, name.slice(0, at), name.slice(at));
      const areNames = countHeaderWords(names.slice(cell, cell + 2)) === 2;
      if (areNames && matchColumnKinds(names, profiles)) found.push({ cell, at });
    }
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}

function matchColumnKinds(names: readonly string[], profiles: readonly ColumnProfile[]): boolean {
  return profiles.every(({ kind }, column) => {
    const named = kindImpliedByHeader(names[column] ?? '');
    return named === null || kind === null || kind === 'text' || kind === 'empty' || kind === named;
  });
}

const isBlank = (cell: string) => cell.trim() === '';

function countsUp(cells: readonly string[]): boolean {
  return cells.every(
    (cell, at) => /^\d+$/.test(cell) && (at === 0 || Number(cell) === Number(cells[at - 1]) + 1),
  );
}
