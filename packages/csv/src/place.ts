import { type Dialect, isSheet } from './dialect.ts';
import type { CsvRecord } from './scan/record.ts';

/** Places per table, more than a file has bytes or a sheet has rows. Places in up to 8,192 tables are exact numbers. */
export const placesPerTable = 2 ** 40;

/**
 * Returns the place that edits and ids refer to: the offset of the row's first byte or, in a sheet, the row's number,
 * because a later converter may write other bytes. No two tables of a file share a place.
 */
export function placeOf(record: Pick<CsvRecord, 'byteFrom' | 'line'>, dialect: Pick<Dialect, 'table'>) {
  const table = dialect.table?.n ?? 0;
  return isSheet(dialect) ? sheetPlace(table, record.line) : table * placesPerTable + record.byteFrom;
}

export const sheetPlace = (table: number, line: number): number => table * placesPerTable + line;

export const tableOfPlace = (place: number): number => Math.floor(place / placesPerTable);
