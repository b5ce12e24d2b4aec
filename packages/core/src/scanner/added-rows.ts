import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, hasRows, queryRows, queryValue, queryValues } from '../connection/query-rows.ts';
import type { AddedRowRecord, ScannedRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { releasePhotos } from './photos.ts';
import { getAddedRowOffset } from './run-added-rows.ts';

export const findAddedRow = (db: Db, importId: string, productId: string) =>
  findRow<AddedRowRecord>(db)`
    select * from added_rows where import_id = ${importId} and product_id = ${productId}`;

/** Adds a product to an import that does not have it. The caller has locked the import. */
export async function insertAddedRow(
  db: Db,
  importId: string,
  product: Pick<ScannedRecord, 'id' | 'own_id' | 'version' | 'photos'>,
  values: RowValues,
): Promise<void> {
  await sql`
    insert into added_rows (import_id, product_id, ordinal, own_id, values, version, photos)
    values (${importId}, ${product.id}, (select coalesce(max(ordinal), 0) + 1 from added_rows where import_id = ${importId}),
      ${product.own_id}, ${storableJson(values)}, ${product.version}, ${product.photos}::text[])`.execute(db);
}

/** Rows per part. Each part is composed and validated in memory. */
export const addedRowsPerPart = 500;

/** The row of one product, or the next rows after an ordinal. */
export type AddedRowFilter = { productId: string } | { after: number };

const addedRows = (importId: string, which: AddedRowFilter) => sql`
  select * from added_rows where import_id = ${importId}
    and ${'productId' in which ? sql`product_id = ${which.productId}` : sql`ordinal > ${which.after}`}
  order by ordinal limit ${addedRowsPerPart}`;

export const listAddedRows = (db: Db, importId: string, which: AddedRowFilter) =>
  queryRows<AddedRowRecord>(db)`${addedRows(importId, which)}`;

/** Lists products that have changed since their added rows in an import were last updated. */
export const listChangedProducts = (db: Db, importId: string, which: AddedRowFilter) =>
  queryRows<ScannedRecord>(db)`
    select scanned_products.* from (${addedRows(importId, which)}) added
    join scanned_products on scanned_products.id = product_id and scanned_products.version > added.version
    order by ordinal`;

/** Updates a product's row to the current values, and releases photos that the row no longer contains. */
export async function updateAddedValues(
  db: Db,
  importId: string,
  product: Pick<ScannedRecord, 'id' | 'version' | 'photos'>,
  values: RowValues,
): Promise<void> {
  const before = await findAddedRow(db, importId, product.id);
  await sql`
    update added_rows set values = ${storableJson(values)}, version = ${product.version},
      photos = ${product.photos}::text[], taken_at = clock_timestamp()
    where import_id = ${importId} and product_id = ${product.id}`.execute(db);
  await releasePhotos(db, before?.photos.filter((photo) => !product.photos.includes(photo)) ?? []);
}

export const hasAddedRows = (db: Db, importId: string) =>
  hasRows(db)`select 1 from added_rows where import_id = ${importId} limit 1`;

/** Lists the imports whose rows have earlier values of a product, latest addition first. */
export const listOutdatedImports = (
  db: Db,
  { id, version }: Pick<ScannedRecord, 'id' | 'version'>,
  limit: number,
) =>
  queryValues<string>(db)`
    select import_id from added_rows where product_id = ${id} and version < ${version}
    order by added_at desc limit ${limit}`;

const ordinalsOf = (offsets: readonly number[]) =>
  sql<number>`any(${offsets.map((offset) => -offset)}::bigint[])`;

export type AddedRowProduct = ScannedRecord & Pick<AddedRowRecord, 'ordinal'> & { row_version: number };

/** Lists the products of added rows by ordinal, without deleted products. */
export async function listAddedRowProducts(
  db: Db,
  importId: string,
  offsets: readonly number[],
): Promise<AddedRowProduct[]> {
  if (offsets.length === 0) return [];
  return queryRows<AddedRowProduct>(db)`
    select scanned_products.*, ordinal, added_rows.version as row_version
    from added_rows join scanned_products on scanned_products.id = product_id
    where import_id = ${importId} and ordinal = ${ordinalsOf(offsets)} and deleted_at is null order by ordinal`;
}

/** Reads the ids of products by the offset of their rows. The id of a deleted product is null. */
export async function readProductsOfRows(db: Db, importId: string, offsets: readonly number[]) {
  const rows = await queryRows<{ ordinal: number; id: string | null }>(db)`
    select ordinal, scanned_products.id
    from added_rows left join scanned_products on scanned_products.id = product_id and deleted_at is null
    where import_id = ${importId} and ordinal = ${ordinalsOf(offsets)}`;
  return new Map(rows.map((row) => [getAddedRowOffset(row), row.id]));
}

export const countAddedRows = (db: Db, importId: string) =>
  queryValue<number>(db)`
    select count(*)::int as count from added_rows where import_id = ${importId}`;
