import type { CsvRecord } from './scan/record.ts';

export const failedRowsColumn = 'Draftshelf error';

export const rowKeyColumn = 'Draftshelf row';

/** Characters at which spreadsheets begin a formula, also in the full width of East Asian alphabets. */
const sign = '[=+\\-@＝＋－＠]';
const number = '[+-](?:\\d+(?:[.,]\\d+)*|[.,]\\d+)%?';
const first = new RegExp(`^(?='*(?:${sign}|[\\t\\r\\n]))(?!${number}$)`);
const firstSafe = new RegExp(`^'(?='*(?:${sign}|[\\t\\r\\n]))`);
// Marks after which some spreadsheets begin another cell. They drop quotes, so a quoted line break ends the row.
const begun = '([;\\t\\r\\n]"*)';
const inner = new RegExp(`${begun}(?='*${sign})(?!${number}(?:[;\\t\\r\\n]|$))`, 'g');
const innerSafe = new RegExp(`${begun}'(?='*${sign})`, 'g');

/** Puts an apostrophe before formulas, and before existing apostrophes, so that `asBeforeDownload` restores cells. */
export function formulaSafe(cell: string): string {
  return cell.replace(inner, "$1'").replace(first, "'");
}

/** Reverses `formulaSafe`. */
export function asBeforeDownload(cell: string): string {
  return cell.replace(firstSafe, '').replace(innerSafe, '$1');
}

/** Whether these headers are those of our own download, whose cells are formula-safe. */
export function isOwnDownload(headers: readonly string[]): boolean {
  return headers.includes(failedRowsColumn) || headers.includes(rowKeyColumn);
}

/** Copies the properties that stay the same in a record with other cells. */
export const copyPlaceAndForm = ({
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
export function recordBeforeDownload(record: CsvRecord): CsvRecord {
  return {
    ...copyPlaceAndForm(record),
    cell: (index) => asBeforeDownload(record.cell(index)),
    cells: () => record.cells().map(asBeforeDownload),
    cellCharsMax: (index) => record.cellCharsMax(index),
    isQuoted: (index) => record.isQuoted(index),
  };
}
