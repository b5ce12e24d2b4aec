import { type Dialect, isSheet } from './dialect.ts';
import type { CsvRecord } from './scan/record.ts';

/** More than the bytes of any file and the rows of any sheet. With 8,192 tables, places stay exact numbers. */
export const placesPerTable = 2 ** 40;

/**
 * The place of a row in its file, which edits and ids refer to: the offset of its first byte. In a sheet its row
 * counts, because the bytes are ours: a later converter may write others. Tables of a file have no place in common.
 */
export function placeOf(
  record: Pick<CsvRecord, 'byteFrom' | 'line'>,
  dialect: Pick<Dialect, 'table'>,
): number {
  const table = dialect.table?.n ?? 0;
  return isSheet(dialect) ? sheetPlace(table, record.line) : table * placesPerTable + record.byteFrom;
}

/** The place of a row of a sheet, by the number of its table. */
export const sheetPlace = (table: number, line: number): number => table * placesPerTable + line;

export const tableOfPlace = (place: number): number => Math.floor(place / placesPerTable);
