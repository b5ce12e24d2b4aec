import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { AddedRowRecord, ScannedRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { releasePhotos } from './photos.ts';
import { offsetOf } from './run-added-rows.ts';

/** A product that was added to an import, or undefined. */
export async function findAddedRow(
  db: Db,
  importId: string,
  productId: string,
): Promise<AddedRowRecord | undefined> {
  return db
    .selectFrom('added_rows')
    .selectAll()
    .where('import_id', '=', importId)
    .where('product_id', '=', productId)
    .executeTakeFirst();
}

/** Adds a product to an import. The caller has locked the import, and the product is not in it. */
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

/** Which added rows of an import: the one of a product, or the next `limit` after an ordinal. */
export type WhichAdded = { productId: string } | { after: number; limit: number };

/** Some added rows of an import, by ordinal. */
export async function listAddedRows(db: Db, importId: string, which: WhichAdded): Promise<AddedRowRecord[]> {
  const query = db.selectFrom('added_rows').selectAll().where('import_id', '=', importId).orderBy('ordinal');
  if ('productId' in which) return query.where('product_id', '=', which.productId).execute();
  return query.where('ordinal', '>', which.after).limit(which.limit).execute();
}

/** Products that were changed after their values were taken for an import, as far as `which` names them. */
export async function listChangedProducts(
  db: Db,
  importId: string,
  which: WhichAdded,
): Promise<ScannedRecord[]> {
  const query = db
    .selectFrom('added_rows')
    .innerJoin('scanned_products', 'scanned_products.id', 'added_rows.product_id')
    .selectAll('scanned_products')
    .where('import_id', '=', importId)
    .whereRef('scanned_products.version', '>', 'added_rows.version')
    .orderBy('ordinal');
  if ('productId' in which) return query.where('product_id', '=', which.productId).execute();
  return query.where('ordinal', '>', which.after).limit(which.limit).execute();
}

/** Takes a product's values as they are now for its row in an import. Photos that it had before are released. */
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
    .where('import_id', '=', importId)
    .where('product_id', '=', product.id)
    .execute();
  await releasePhotos(db, before?.photos.filter((photo) => !product.photos.includes(photo)) ?? []);
}

/** Whether any product was added to an import. */
export async function hasAddedRows(db: Db, importId: string): Promise<boolean> {
  const found = await db
    .selectFrom('added_rows')
    .select('ordinal')
    .where('import_id', '=', importId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The imports that have earlier values of a product: at most `limit`, the one that it was added to last first. */
export async function listImportsBehind(
  db: Db,
  { id, version }: Pick<ScannedRecord, 'id' | 'version'>,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('added_rows')
    .select('import_id')
    .where('product_id', '=', id)
    .where('version', '<', version)
    .orderBy('added_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ import_id }) => import_id);
}

const ordinalsOf = (offsets: readonly number[]) =>
  sql<number>`any(${offsets.map((offset) => -offset)}::bigint[])`;

/** A product of the library, and the version of it that its row has. */
export type ScannedOfRow = ScannedRecord & Pick<AddedRowRecord, 'ordinal'> & { row_version: number };

/** The products of the library that rows were added from, by ordinal. Deleted products are absent. */
export async function listScannedOfRows(
  db: Db,
  importId: string,
  offsets: readonly number[],
): Promise<ScannedOfRow[]> {
  if (offsets.length === 0) return [];
  return db
    .selectFrom('added_rows')
    .innerJoin('scanned_products', 'scanned_products.id', 'product_id')
    .selectAll('scanned_products')
    .select(['ordinal', 'added_rows.version as row_version'])
    .where('import_id', '=', importId)
    .where('ordinal', '=', ordinalsOf(offsets))
    .where('deleted_at', 'is', null)
    .orderBy('ordinal')
    .execute();
}

/** The products of the library that rows were added from, by the offset of the row; null if it was deleted. */
export async function readProductsOfRows(
  db: Db,
  importId: string,
  offsets: readonly number[],
): Promise<Map<number, string | null>> {
  const rows = await db
    .selectFrom('added_rows')
    .leftJoin('scanned_products', (join) =>
      join.onRef('scanned_products.id', '=', 'product_id').on('deleted_at', 'is', null),
    )
    .select(['ordinal', 'scanned_products.id'])
    .where('import_id', '=', importId)
    .where('ordinal', '=', ordinalsOf(offsets))
    .execute();
  return new Map(rows.map((row) => [offsetOf(row), row.id]));
}

/** How many products were added to an import. */
export async function countAddedRows(db: Db, importId: string): Promise<number> {
  const { count } = await db
    .selectFrom('added_rows')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('import_id', '=', importId)
    .executeTakeFirstOrThrow();
  return count;
}
