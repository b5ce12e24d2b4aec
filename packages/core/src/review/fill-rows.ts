import { searchText } from '@draftshelf/domain/base/search-text';
import { optionTexts } from '@draftshelf/domain/products/variant-options';
import { columnFields, storedValues } from '@draftshelf/domain/review/stored-values';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';
import type { RunOfRows } from '../work/runs.ts';
import { findDuplicates } from './duplicates.ts';
import { computeValues, readProductRows, readRowPage } from './effective-rows.ts';
import { countFacets } from './row-facets.ts';
import { lockRows } from './rows-lock.ts';
import { updateColumns } from './validated-rows.ts';

/** Rows per transaction. */
const rowsPerPart = 1_000;

/**
 * Gives the rows of a version before their effective values and what they are searched by, and marks first rows and
 * duplicates; after a migration, before any process works. What was done stays done: it goes on where it was
 * interrupted. Returns the number of runs.
 */
export async function fillRows({ db }: { db: Kysely<Schema> }): Promise<number> {
  const { rows: runs } = await sql<RunOfRows & { isWhole: boolean }>`
    select import_id, run, rows_removed_at is null and deletion_began_at is null
      and not exists (
        select from chunks where chunks.import_id = imports.id and task = 'retire-rows' and chunks.done > 0
      ) as "isWhole"
    from runs join imports on imports.id = import_id where runs.stage = 'parse' and lacks_values`.execute(db);
  for (const { isWhole, ...of } of runs) {
    for (let after: number | undefined = 0; after !== undefined; )
      after = await db.transaction().execute((trx) => fillPart(trx, of, after ?? 0));
    await fillOptions(db, of);
    await db.transaction().execute(async (trx) => {
      await lockRows(trx, of.import_id);
      await markFirstRows(trx, of);
      await findDuplicates(trx, of);
      // Counts outlive rows that were removed.
      if (isWhole) await countFacets(trx, of);
      await trx
        .updateTable('runs')
        .set({ lacks_values: false })
        .where('import_id', '=', of.import_id)
        .where('stage', '=', 'parse')
        .where('run', '=', of.run)
        .execute();
    });
  }
  return runs.length;
}

/** Fills the next rows. Returns the last one; undefined: there are no more. */
async function fillPart(db: Db, of: RunOfRows, after: number): Promise<number | undefined> {
  await lockRows(db, of.import_id);
  const rows = await computeValues(db, of, await readRowPage(db, of, { after, limit: rowsPerPart }));
  const filled = rows.map(({ row, ignored, values, sources, gtin }) => ({
    row,
    title: values.title ?? null,
    sku: values.sku ?? null,
    vendor: values.vendor ?? null,
    image: values.image ?? null,
    ...storedValues(values),
    sources: Object.keys(sources).length === 0 ? null : sources,
    search: ignored === null ? searchText(values, gtin) : null,
  }));
  await updateColumns(db, of, filled, [...columnFields, 'others', 'sizes', 'sources', 'search']);
  return rows.at(-1)?.row;
}

/** Products per transaction. */
const productsPerPart = 500;

/** Any row of a product may name its options. */
async function fillOptions(db: Kysely<Schema>, of: RunOfRows): Promise<void> {
  const { last } = await db
    .selectFrom('rows')
    .select((eb) => eb.fn.max('product').as('last'))
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .executeTakeFirstOrThrow();
  for (let firstProduct = 1; firstProduct <= (last ?? 0); firstProduct += productsPerPart) {
    await db.transaction().execute(async (trx) => {
      await lockRows(trx, of.import_id);
      const rows = await readProductRows(trx, of, { firstProduct, products: productsPerPart });
      const filled = [...Map.groupBy(rows, ({ product }) => product).values()].flatMap((ofProduct) => {
        const textsOf = optionTexts(ofProduct.map(({ values }) => values));
        return ofProduct.map(({ row, values }) => ({ row, options: textsOf(values) }));
      });
      const withOptions = filled.filter(({ options }) => options !== null);
      await updateColumns(trx, of, withOptions, ['options']);
    });
  }
}

async function markFirstRows(db: Db, { import_id, run }: RunOfRows): Promise<void> {
  await sql`
    update rows set is_first = true from (
      select min(row) as row from rows
      where import_id = ${import_id} and run = ${run} and ignored is null and not joined group by product
    ) first
    where import_id = ${import_id} and run = ${run} and rows.row = first.row and not is_first`.execute(db);
}
