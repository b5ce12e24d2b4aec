import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { AddedRowRecord, ScannedRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { releasePhotos } from './photos.ts';
import { offsetOf } from './run-added-rows.ts';

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

export async function listAddedRows(db: Db, importId: string, which: WhichAdded): Promise<AddedRowRecord[]> {
  const query = db.selectFrom('added_rows').selectAll().where('import_id', '=', importId).orderBy('ordinal');
  if ('productId' in which) return query.where('product_id', '=', which.productId).execute();
  return query.where('ordinal', '>', which.after).limit(which.limit).execute();
}

/** Lists products changed since their values were taken for an import. */
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
    .where('import_id', '=', importId)
    .where('product_id', '=', product.id)
    .execute();
  await releasePhotos(db, before?.photos.filter((photo) => !product.photos.includes(photo)) ?? []);
}

export async function hasAddedRows(db: Db, importId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from added_rows where import_id = ${importId} limit 1`.execute(db);
  return rows.length > 0;
}

/** Lists imports with earlier values of a product, the latest addition first. */
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

export type ScannedOfRow = ScannedRecord & Pick<AddedRowRecord, 'ordinal'> & { row_version: number };

/** Lists the products of added rows, by ordinal. Deleted products are absent. */
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

/** Reads products by the offset of their rows; null if deleted. */
export async function readProductsOfRows(db: Db, importId: string, offsets: readonly number[]) {
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

export async function countAddedRows(db: Db, importId: string): Promise<number> {
  const { count } = await db
    .selectFrom('added_rows')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('import_id', '=', importId)
    .executeTakeFirstOrThrow();
  return count;
}
