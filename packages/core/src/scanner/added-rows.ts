import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, hasRows, queryRows, queryValue, queryValues } from '../connection/query-rows.ts';
import type { AddedRowRecord, ScannedRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { releasePhotos } from './photos.ts';
import { offsetOf } from './run-added-rows.ts';

export const findAddedRow = (db: Db, importId: string, productId: string) =>
  findRow<AddedRowRecord>(db)`
    select * from added_rows where import_id = ${importId} and product_id = ${productId}`;

/** Adds a product to a locked import that lacks it. */
export async function insertAddedRow(
  db: Db,
  importId: string,
  product: Pick<ScannedRecord, 'id' | 'own_id' | 'version' | 'photos'>,
  values: RowValues,
): Promise<void> {
  await db
    .insertInto('added_rows')
    .values({
      import_id: importId,
      product_id: product.id,
      ordinal: sql<number>`(
        select coalesce(max(earlier.ordinal), 0) + 1 from added_rows earlier where earlier.import_id = ${importId})`,
      own_id: product.own_id,
      values: storableJson(values),
      version: product.version,
      photos: [...product.photos],
    })
    .execute();
}

/** One product's row, or the next ones after an ordinal. */
export type WhichAdded = { productId: string } | { after: number; limit: number };

const addedRows = (db: Db, importId: string, which: WhichAdded) => {
  const rows = db.selectFrom('added_rows').where('import_id', '=', importId).orderBy('ordinal');
  if ('productId' in which) return rows.where('product_id', '=', which.productId);
  return rows.where('ordinal', '>', which.after).limit(which.limit);
};

export const listAddedRows = (db: Db, importId: string, which: WhichAdded): Promise<AddedRowRecord[]> =>
  addedRows(db, importId, which).selectAll().execute();

/** Lists products changed since their values were taken for an import. */
export const listChangedProducts = (db: Db, importId: string, which: WhichAdded): Promise<ScannedRecord[]> =>
  addedRows(db, importId, which)
    .innerJoin('scanned_products', 'scanned_products.id', 'added_rows.product_id')
    .selectAll('scanned_products')
    .whereRef('scanned_products.version', '>', 'added_rows.version')
    .execute();

/** Takes a product's present values for its row. Its former photos are released. */
export async function takeValues(
  db: Db,
  importId: string,
  product: Pick<ScannedRecord, 'id' | 'version' | 'photos'>,
  values: RowValues,
): Promise<void> {
  const before = await findAddedRow(db, importId, product.id);
  await db
    .updateTable('added_rows')
    .set({
      values: storableJson(values),
      version: product.version,
      photos: [...product.photos],
      taken_at: sql<Date>`clock_timestamp()`,
    })
    .where((eb) => eb.and({ import_id: importId, product_id: product.id }))
    .execute();
  await releasePhotos(db, before?.photos.filter((photo) => !product.photos.includes(photo)) ?? []);
}

export const hasAddedRows = (db: Db, importId: string) =>
  hasRows(db)`select 1 from added_rows where import_id = ${importId} limit 1`;

/** Lists imports with earlier values of a product, the latest addition first. */
export const listImportsBehind = (
  db: Db,
  { id, version }: Pick<ScannedRecord, 'id' | 'version'>,
  limit: number,
) =>
  queryValues<string>(db)`
    select import_id from added_rows where product_id = ${id} and version < ${version}
    order by added_at desc limit ${limit}`;

const ordinalsOf = (offsets: readonly number[]) =>
  sql<number>`any(${offsets.map((offset) => -offset)}::bigint[])`;

export type ScannedOfRow = ScannedRecord & Pick<AddedRowRecord, 'ordinal'> & { row_version: number };

/** Lists the products of added rows, by ordinal. Deleted products are absent. */
export async function listScannedOfRows(
  db: Db,
  importId: string,
  offsets: readonly number[],
): Promise<ScannedOfRow[]> {
  if (offsets.length === 0) return [];
  return queryRows<ScannedOfRow>(db)`
    select scanned_products.*, ordinal, added_rows.version as row_version
    from added_rows join scanned_products on scanned_products.id = product_id
    where import_id = ${importId} and ordinal = ${ordinalsOf(offsets)} and deleted_at is null order by ordinal`;
}

/** Reads products by the offset of their rows; null if deleted. */
export async function readProductsOfRows(db: Db, importId: string, offsets: readonly number[]) {
  const rows = await queryRows<{ ordinal: number; id: string | null }>(db)`
    select ordinal, scanned_products.id
    from added_rows left join scanned_products on scanned_products.id = product_id and deleted_at is null
    where import_id = ${importId} and ordinal = ${ordinalsOf(offsets)}`;
  return new Map(rows.map((row) => [offsetOf(row), row.id]));
}

export const countAddedRows = (db: Db, importId: string) =>
  queryValue<number>(db)`
    select count(*)::int as count from added_rows where import_id = ${importId}`;
