import type { CsvRecord } from './scan/record.ts';

/** The name of the column that the download of skipped and failed rows adds. Files with it are ours. */
export const failedRowsColumn = 'Draftshelf error';

/** The name of the column with the keys of rows in a corrections file. */
export const rowKeyColumn = 'Draftshelf row';

/** What spreadsheets take for the beginning of a formula, also in the full width of East Asian alphabets. */
const sign = '[=+\\-@＝＋－＠]';
const number = '[+-](?:\\d+(?:[.,]\\d+)*|[.,]\\d+)%?';
const first = new RegExp(`^(?='*(?:${sign}|[\\t\\r\\n]))(?!${number}$)`);
const firstSafe = new RegExp(`^'(?='*(?:${sign}|[\\t\\r\\n]))`);
/**
 * Within a cell, spreadsheets that separate cells by semicolons or tabs begin another one, and take off quotes at its
 * beginning. To them a quoted line break ends the row.
 */
const begun = '([;\\t\\r\\n]"*)';
const inner = new RegExp(`${begun}(?='*${sign})(?!${number}(?:[;\\t\\r\\n]|$))`, 'g');
const innerSafe = new RegExp(`${begun}'(?='*${sign})`, 'g');

/**
 * A cell of a download that spreadsheets do not run as a formula, whatever they separate cells by: with an apostrophe
 * before it. Numbers stay numbers. A cell that has apostrophes before a formula gets one more, so that
 * `asBeforeDownload` finds every cell again.
 */
export function formulaSafe(cell: string): string {
  return cell.replace(inner, "$1'").replace(first, "'");
}

/** The cell that `formulaSafe` made this one of. */
export function asBeforeDownload(cell: string): string {
  return cell.replace(firstSafe, '').replace(innerSafe, '$1');
}

/** Whether these are the headers of a download of ours; all its cells are formula-safe. */
export function isOwnDownload(headers: readonly string[]): boolean {
  return headers.includes(failedRowsColumn) || headers.includes(rowKeyColumn);
}

/** A record of a download of ours, with its cells as before. */
export function recordBeforeDownload(record: CsvRecord): CsvRecord {
  const { byteFrom, byteTo, line, ordinal, cellCount, lineEnd, issues } = record;
  return {
    ...{ byteFrom, byteTo, line, ordinal, cellCount, lineEnd, issues },
    cell: (index) => asBeforeDownload(record.cell(index)),
    cells: () => record.cells().map(asBeforeDownload),
    cellCharsMax: (index) => record.cellCharsMax(index),
    numberForm: () => null,
    numberDigits: 0,
    mayMatch: () => true,
    isQuoted: (index) => record.isQuoted(index),
  };
}
