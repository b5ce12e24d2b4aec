import type { FieldValue, ValueField } from '@draftshelf/domain/field-value';
import { searchCharsMax, searchCharsMin } from '@draftshelf/domain/search-text';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { entriesReader } from './read-entries.ts';
import type { CountedRows } from './row-filter.ts';
import { searchSource } from './row-search.ts';
import { type RowSource, windowOf } from './row-source.ts';

/** Rows whose values are read at a time: about 15 ms. */
const rowsPerWindow = 2_000;

/** Fields whose values are in the texts that rows are searched by. */
const searched: readonly ValueField[] = ['title', 'sku', 'upc', 'vendor', 'itemNumber'];

/**
 * The rows with exactly this effective value. A value that the search finds is looked for by it first; the values of
 * the rows found are compared afterwards.
 */
export async function valueSources(
  db: Db,
  of: CountedRows,
  { field, value }: FieldValue,
): Promise<RowSource[]> {
  const exact = await exactSource(db, of, { field, value });
  const chars = [...value].length;
  const isSearched = searched.includes(field) && chars >= searchCharsMin && chars <= searchCharsMax;
  return isSearched ? [await searchSource(db, of, value), exact] : [exact];
}

async function exactSource(db: Db, of: CountedRows, { field, value }: FieldValue): Promise<RowSource> {
  const readEntries = await entriesReader(db, of, field);
  // A list may also be named as it is written.
  const equal = async (which: Parameters<typeof readEntries>[0]) =>
    (await readEntries(which))
      .filter((one) => one.value === value || one.entries.includes(value))
      .map(({ row }) => row);
  return {
    // Nothing counts values, and comparing them is the slowest: another source is scanned if there is one.
    count: async () => of.total_rows,
    async scan(cursor, limit) {
      const { within, end, ended } = windowOf(cursor, rowsPerWindow, of.total_rows);
      const rows = (await equal(within)).sort((a, b) => (cursor.back ? b - a : a - b));
      const isFull = rows.length > limit;
      const found = rows.slice(0, limit);
      return { rows: found, scannedTo: isFull ? (found.at(-1) ?? end) : end, ended: ended && !isFull };
    },
    intersect: async (numbers) => new Set(await equal(sql`row = any(${numbers}::int[])`)),
  };
}
