import { findGtin } from '@draftshelf/domain/base/gtin';
import type { ScannedFields } from '@draftshelf/domain/scanner/scanned-product';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, queryValue } from '../connection/query-rows.ts';
import type { ScannedRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { isUuid } from '../imports/imports.ts';

export const scannedProductsMax = 50_000;

/** Days during which the id of a deleted product cannot be used again. */
const tombstoneDays = 30;
const removedMax = 1_000;

/** The result of a change. In a conflict, `current` is the unchanged stored product. */
export type ScannedChange =
  | { kind: 'created' | 'changed' | 'kept'; product: ScannedRecord }
  | { kind: 'conflict'; current: ScannedRecord }
  | { kind: 'deleted' | 'unknown' | 'full' };

const columnsOf = ({ name, description, price, sku, upc, dimensions, weight, photos }: ScannedFields) => ({
  ...{ name, description, price, sku, upc, gtin: upc === null ? null : (findGtin(upc)?.gtin ?? null) },
  ...{ dimensions: storableJson(dimensions), weight: storableJson(weight), photos: [...photos] },
});

const contentColumns = [
  ...(['name', 'description', 'price', 'sku', 'upc', 'gtin', 'dimensions', 'weight', 'photos'] as const),
];

/** The type `never` fits every column. Each value really has the type of its own column. */
const contentOfCall = Object.fromEntries(
  contentColumns.map((column) => [column, sql.ref(`excluded.${column}`)]),
) as Record<(typeof contentColumns)[number], RawBuilder<never>>;

const listOf = (table: string) => sql.join(contentColumns.map((column) => sql.ref(`${table}.${column}`)));

/** SQL condition: a repeated creation has other content than the stored product. */
const differs = sql<boolean>`(${listOf('scanned_products')}) is distinct from (${listOf('excluded')})`;

const isLatestCreation = sql<boolean>`
  (scanned_products.version = 1 and scanned_products.arrived_at <= excluded.arrived_at)`;

/** `ageMs` is the time since the request arrived. */
export type ScannedCreation = { id: string; ageMs: number };

/**
 * Creates a product under the client's id. If the product exists and was never changed, a newer creation replaces its
 * content, because the first response may be lost. A creation that is older or follows a change returns a conflict.
 */
export async function createScannedProduct(
  db: Db,
  { id, ageMs }: ScannedCreation,
  fields: ScannedFields,
): Promise<ScannedChange> {
  const arrivedAt = sql<Date>`clock_timestamp() - ${ageMs}::float8 * interval '1 millisecond'`;
  const row = await db
    .insertInto('scanned_products')
    .values({ id, ...columnsOf(fields), arrived_at: arrivedAt })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({
          ...contentOfCall,
          version: sql<number>`scanned_products.version + (${differs})::int`,
          changed_at: sql<Date>`case when ${differs} then clock_timestamp() else scanned_products.changed_at end`,
        })
        .where('scanned_products.deleted_at', 'is', null)
        .where(sql<boolean>`(${isLatestCreation} or not ${differs})`),
    )
    .returningAll()
    // For a row that this statement has inserted, xmax is 0: no transaction has updated or locked the row.
    .returning(sql<boolean>`xmax = 0`.as('is_new'))
    .executeTakeFirst();
  if (!row) return refusedChange(db, id, 'deleted');
  const { is_new, ...product } = row;
  if (is_new && (await countScannedProducts(db)) > scannedProductsMax) return { kind: 'full' };
  return { kind: is_new ? 'created' : 'kept', product };
}

/** `which` is a condition on products. */
export const countScannedProducts = (db: Db, which: RawBuilder<unknown> = sql`true`) =>
  queryValue<number>(db)`
    select count(*)::int as total from scanned_products where deleted_at is null and ${which}`;

/** Changes a product at `version`, or at any version if null. Equal content is no conflict: clients repeat changes. */
export async function changeScannedProduct(
  db: Db,
  { id, version }: { id: string; version: number | null },
  fields: ScannedFields,
): Promise<ScannedChange> {
  if (!isUuid(id)) return { kind: 'unknown' };
  const values = columnsOf(fields);
  const product = await db
    .updateTable('scanned_products')
    .set({
      ...values,
      version: sql<number>`version + 1`,
      changed_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(version !== null, (query) => query.where('version', '=', version ?? 0))
    .returningAll()
    .executeTakeFirst();
  if (product) return { kind: 'changed', product };
  const list = sql.join(contentColumns.map((column) => values[column]));
  const isSame = sql`and (${listOf('scanned_products')}) is not distinct from (${list})`;
  const same = await findStored(db, id, isSame);
  return same ? { kind: 'kept', product: same } : refusedChange(db, id, 'unknown');
}

async function refusedChange(db: Db, id: string, otherwise: 'deleted' | 'unknown'): Promise<ScannedChange> {
  const current = await findScannedProduct(db, id);
  return current ? { kind: 'conflict', current } : { kind: otherwise };
}

/** `id` must be a UUID. */
const findStored = (db: Db, id: string, more = sql``) =>
  findRow<ScannedRecord>(db)`select * from scanned_products where id = ${id} and deleted_at is null ${more}`;

/** Finds a product. Also returns undefined if `id` is not a UUID. */
export async function findScannedProduct(db: Db, id: string): Promise<ScannedRecord | undefined> {
  return isUuid(id) ? findStored(db, id) : undefined;
}

/** Finds a product as `findScannedProduct` does, and locks it until the commit. */
export async function lockScannedProduct(db: Db, id: string): Promise<ScannedRecord | undefined> {
  return isUuid(id) ? findStored(db, id, sql`for no key update`) : undefined;
}

/** Deletes a product and returns it. Blocks its id for 30 days, so that a late repeated creation has no effect. */
export async function deleteScannedProduct(db: Db, id: string): Promise<ScannedRecord | undefined> {
  if (!isUuid(id)) return undefined;
  await sql`
    delete from scanned_products where id in (
      select id from scanned_products where deleted_at < now() - ${tombstoneDays} * interval '1 day'
      limit ${removedMax} for update skip locked
    )`.execute(db);
  return findRow<ScannedRecord>(db)`
    update scanned_products set deleted_at = clock_timestamp() where id = ${id} and deleted_at is null returning *`;
}

export type ScannedVersion = Pick<ScannedRecord, 'id' | 'version'>;

/** A null `version` is an unknown older version. */
export type ScannedSync = { shop: string; version: number | null; storeProductId: string };

/** Records a shop's version of a product, unless a newer one is recorded. Call it first: saves lock products first. */
export async function recordScannedSync(db: Db, id: string, { shop, version, storeProductId }: ScannedSync) {
  const isOlder = sql<boolean>`synced_shop = ${shop} and synced_version > ${version}::int`;
  await sql`
    update scanned_products set synced_at = clock_timestamp(), synced_shop = ${shop},
      synced_version = case when ${isOlder} then synced_version else ${version}::int end,
      store_product_id = ${storeProductId}
    where id = ${id}`.execute(db);
}

/** Clears the sync of a product. Call it first in a transaction, because a save locks the product first, too. */
export async function forgetScannedSync(
  db: Db,
  { shop, ourId }: { shop: string; ourId: string },
): Promise<void> {
  if (!/^[\da-f]{32}$/.test(ourId)) return;
  await sql`
    update scanned_products set synced_at = null, synced_shop = null, synced_version = null, store_product_id = null
    where id = ${ourId}::uuid and synced_shop = ${shop}`.execute(db);
}
