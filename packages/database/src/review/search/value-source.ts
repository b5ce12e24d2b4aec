import { productFields } from '@draftshelf/domain/base/canonical-fields';
import type { FieldValue } from '@draftshelf/domain/base/field-value';
import { searchCharsMax, searchCharsMin, searchedFields } from '@draftshelf/domain/base/search-text';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { findProductsOfRows, findRowsOfProducts, haveMoreRows } from '../effective-rows.ts';
import { entriesReader, type FieldRows } from './read-entries.ts';
import type { CountedRows } from './row-filter.ts';
import { searchSource } from './row-search.ts';
import { type RowSource, stepOf, windowOf } from './row-source.ts';

/** Rows whose values are read at a time: about 15 ms. */
const rowsPerWindow = 2_000;

const searchedNames: readonly string[] = searchedFields;

/** Rows whose values may be those of another row of their product. */
type ValuedRows = CountedRows & FieldRows;

/** Reads which rows have the value that is filtered by. */
type EqualRows = (which: RawBuilder<SqlBool>) => Promise<number[]>;

/**
 * The rows with exactly this effective value, or those of the products with it. A value that the search finds is looked
 * for by it first; the values of the rows found are compared afterwards.
 */
export async function valueSources(db: Db, of: ValuedRows, one: FieldValue): Promise<RowSource[]> {
  const { field, value } = one;
  const equal = await equalReader(db, of, one);
  const exact = exactSource(of, equal);
  const chars = [...value].length;
  const isSearched = searchedNames.includes(field) && chars >= searchCharsMin && chars <= searchCharsMax;
  if (!isSearched) return [exact];
  const holding = await searchSource(db, of, value);
  const isOnRow = of.oneRowEach || !(productFields as ReadonlySet<string>).has(field);
  return isOnRow ? [holding, exact] : [(await listedSource(db, of, holding, equal)) ?? exact];
}

async function equalReader(db: Db, of: ValuedRows, { field, value }: FieldValue): Promise<EqualRows> {
  const readEntries = await entriesReader(db, of, field);
  // A list may also be named as it is written.
  return async (which) =>
    (await readEntries(which))
      .filter((one) => one.value === value || one.entries.includes(value))
      .map(({ row }) => row);
}

function exactSource(of: CountedRows, equal: EqualRows): RowSource {
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

/** Rows with a text, of whose products all rows are listed at once: about 60 ms. */
const listedRowsMax = 200;
/** These are looked for at most so long. */
const listedMsMax = 100;

/** All rows of the products with the value, if few rows hold it as a text; else null. */
async function listedSource(
  db: Db,
  of: CountedRows,
  holding: RowSource,
  equal: EqualRows,
): Promise<RowSource | null> {
  const held = await allRowsOf(holding);
  if (held === null) return null;
  const products = await findProductsOfRows(db, of, held);
  if (await haveMoreRows(db, of, products, rowsPerWindow)) return null;
  const numbers = (await findRowsOfProducts(db, of, products)).flatMap(({ rows }) => rows);
  const listed = (await equal(sql`row = any(${numbers}::int[])`)).sort((a, b) => a - b);
  return {
    count: async () => listed.length,
    async scan(cursor, limit) {
      const { from, back } = cursor;
      const rows = back ? listed.filter((row) => row < from).reverse() : listed.filter((row) => row > from);
      return stepOf(rows.slice(0, limit), limit, cursor);
    },
    intersect: async (rows) => new Set(rows).intersection(new Set(listed)),
  };
}

/** All rows of a source; null if they are too many, or finding them takes too long. */
async function allRowsOf(source: RowSource): Promise<number[] | null> {
  const rows: number[] = [];
  const deadline = performance.now() + listedMsMax;
  for (let from = 0; performance.now() < deadline; ) {
    const step = await source.scan({ from, back: false }, listedRowsMax + 1 - rows.length);
    rows.push(...step.rows);
    if (rows.length > listedRowsMax) return null;
    if (step.ended) return rows;
    from = step.scannedTo;
  }
  return null;
}
