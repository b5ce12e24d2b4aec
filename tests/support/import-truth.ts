import { isDeepStrictEqual } from 'node:util';
import type { AddedRowRecord, ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { type EffectiveRow, readProductRows, readRowPage } from '@draftshelf/core/review/effective-rows';
import { countProducts } from '@draftshelf/core/review/product-rows';
import { readFacets } from '@draftshelf/core/review/row-facets';
import { readFilteredPage } from '@draftshelf/core/review/search/row-page';
import { currentRows } from '@draftshelf/core/work/runs';
import type { Fixture } from './fixture.ts';
import { countedSummary, storedSummary } from './stored-summary.ts';

type Database = Pick<Fixture['database'], 'db'>;

const rowsMax = 10_000;

/**
 * What is wrong with a processed import: differences of its counters, facets, bitmaps, search and reads by product from
 * its rows, read one by one, and of its added rows from the products that were added.
 */
export async function importDifferences(database: Database, id: string): Promise<string[]> {
  const { db } = database;
  const record = await findImport(db, id);
  if (!record) return ['The import is gone'];
  const rows = await readRowPage(db, currentRows(record), { after: 0, limit: rowsMax });
  const added = await db
    .selectFrom('added_rows')
    .selectAll()
    .where('import_id', '=', id)
    .orderBy('ordinal')
    .execute();
  const { total, ...classes } = await countProducts(db, currentRows(record));
  const differences = [
    difference(
      'row numbers',
      rows.map(({ row }) => row),
      rows.map((_, at) => at + 1),
    ),
    difference('counters', countersOf(record), {
      ...{ rows: rows.length, parsed: rows.length, total, processed: total, ...classes, open: 0 },
      numbers: Math.max(0, ...rows.map(({ product }) => product)),
    }),
    difference('summary', await storedSummary(database, record), await countedSummary(database, record)),
    ...(await addedDifferences(database, record, rows, added)),
  ];
  return differences.flatMap((one) => one ?? []);
}

const countersOf = (record: ImportRecord) => ({
  rows: record.total_rows,
  parsed: record.parsed_rows,
  total: record.total_products,
  processed: record.processed_products,
  valid: record.valid_products,
  warning: record.warning_products,
  error: record.error_products,
  open: record.open_chunks,
  numbers: record.product_numbers,
});

function difference(name: string, is: unknown, should: unknown): string | undefined {
  if (isDeepStrictEqual(is, should)) return undefined;
  return `${name}: ${JSON.stringify(is)}, should be ${JSON.stringify(should)}`;
}

async function addedDifferences(
  { db }: Database,
  record: ImportRecord,
  rows: readonly EffectiveRow[],
  added: readonly AddedRowRecord[],
): Promise<(string | undefined)[]> {
  const of = currentRows(record);
  const facets = await readFacets(db, of);
  const ofScanner = rows.filter(({ line }) => line === 0);
  const differences = [
    difference(
      'added rows',
      ofScanner.map((row) => `${-row.byte_from} ${row.own_id}`).sort(),
      added.map(({ ordinal, own_id }) => `${ordinal} ${own_id}`).sort(),
    ),
  ];
  for (const row of ofScanner) {
    const own = added.find(({ ordinal }) => ordinal === -row.byte_from)?.values ?? {};
    const unedited = Object.entries(own).filter(([field]) => row.sources[field as 'title'] !== 'edit');
    const ofProduct = await readProductRows(db, of, { firstProduct: row.product, products: 1 });
    const { rows: found } = await readFilteredPage(db, record, facets, { q: row.sku ?? '', limit: 200 });
    differences.push(
      difference(
        `values of row ${row.row}`,
        unedited.map(([field]) => [field, row.values[field as 'title']]),
        unedited,
      ),
      difference(
        `rows of product ${row.product}`,
        ofProduct.map((one) => one.row),
        [row.row],
      ),
      difference(
        `search for row ${row.row}`,
        found.some((one) => one.row === row.row),
        true,
      ),
    );
  }
  return differences;
}
