import { type Dialect, isSheet } from './dialect.ts';
import type { CsvRecord } from './scan/record.ts';

/** Places reserved per table, more than a file has bytes. The places of 8,192 tables are exact as JS numbers. */
export const placesPerTable = 2 ** 40;

/**
 * Returns a row's place, by which edits and ids refer to the row: the offset of its first byte. In a sheet it is the
 * row's number, because a later converter may write other bytes. No two tables of a file share a place.
 */
export function placeOf(record: Pick<CsvRecord, 'byteFrom' | 'line'>, dialect: Pick<Dialect, 'table'>) {
  const table = dialect.table?.n ?? 0;
  return isSheet(dialect) ? sheetPlace(table, record.line) : table * placesPerTable + record.byteFrom;
}

export const sheetPlace = (table: number, line: number): number => table * placesPerTable + line;

export const tableOfPlace = (place: number): number => Math.floor(place / placesPerTable);
