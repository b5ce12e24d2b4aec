import type { CsvRecord } from './scan/record.ts';

export const errorColumnName = 'Draftshelf error';

export const rowKeyColumn = 'Draftshelf row';

/** Characters that begin a formula in spreadsheets, and their full-width forms (＝). */
const sign = '[=+\\-@＝＋－＠]';
const number = '[+-](?:\\d+(?:[.,]\\d+)*|[.,]\\d+)%?';
const first = new RegExp(`^(?='*(?:${sign}|[\\t\\r\\n]))(?!${number}$)`);
const firstSafe = new RegExp(`^'(?='*(?:${sign}|[\\t\\r\\n]))`);
// Some spreadsheets ignore quotes, so that these characters inside a cell begin another cell or row.
const begun = '([;\\t\\r\\n]"*)';
const inner = new RegExp(`${begun}(?='*${sign})(?!${number}(?:[;\\t\\r\\n]|$))`, 'g');
const innerSafe = new RegExp(`${begun}'(?='*${sign})`, 'g');

/** Puts an apostrophe before a formula, even if it has one already, so that unescapeFormulas restores the cell. */
export function escapeFormulas(cell: string): string {
  return cell.replace(inner, "$1'").replace(first, "'");
}

/** Removes the apostrophes that escapeFormulas has added. */
export function unescapeFormulas(cell: string): string {
  return cell.replace(firstSafe, '').replace(innerSafe, '$1');
}

/** Whether a file with these headers is our own download, in which escapeFormulas has changed cells. */
export function isOwnDownload(headers: readonly string[]): boolean {
  return headers.includes(errorColumnName) || headers.includes(rowKeyColumn);
}

/** Copies the properties of a record that stay valid if its cells are replaced. */
export const copyRecordProperties = ({
  byteFrom,
  byteTo,
  line,
  ordinal,
  cellCount,
  lineEnd,
  issues,
}: CsvRecord) => ({
  ...{ byteFrom, byteTo, line, ordinal, cellCount, lineEnd, issues },
});

/** Returns a record of our own download with its original cells. */
export function unescapeRecord(record: CsvRecord): CsvRecord {
  return {
    ...copyRecordProperties(record),
    cell: (index) => unescapeFormulas(record.cell(index)),
    cells: () => record.cells().map(unescapeFormulas),
    cellCharsMax: (index) => record.cellCharsMax(index),
    isQuoted: (index) => record.isQuoted(index),
  };
}
