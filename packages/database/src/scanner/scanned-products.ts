import { gtinIn } from '@draftshelf/domain/gtin';
import type { ScannedFields } from '@draftshelf/domain/scanned-product';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { storableJson } from '../connection/storable-json.ts';
import { isUuid } from '../imports/imports.ts';
import type { ScannedRecord } from '../schema.ts';
import { addedSequence } from './added-rows.ts';

/** The most products that the library takes. */
export const scannedMax = 50_000;

/** How long the id of a deleted product cannot be used again. */
const tombstoneDays = 30;
/** How many lines of deleted products one deletion removes at most. */
const removedMax = 1_000;

/** What a change came to. `current`: the product as it is stored, which nothing has changed. */
export type ScannedChange =
  | { kind: 'created' | 'changed' | 'kept'; product: ScannedRecord }
  | { kind: 'conflict'; current: ScannedRecord }
  | { kind: 'deleted' | 'unknown' | 'full' };

const columnsOf = ({ upc, dimensions, weight, photos, ...texts }: ScannedFields) => ({
  name: texts.name,
  description: texts.description,
  price: texts.price,
  sku: texts.sku,
  upc,
  gtin: upc === null ? null : (gtinIn(upc)?.gtin ?? null),
  dimensions: storableJson(dimensions),
  weight: storableJson(weight),
  photos: [...photos],
});

const contentColumns = [
  'name',
  'description',
  'price',
  'sku',
  'upc',
  'gtin',
  'dimensions',
  'weight',
  'photos',
] as const;

const listOf = (table: string) => sql.join(contentColumns.map((column) => sql.ref(`${table}.${column}`)));

/** Whether a repeated creation has other content than the stored product. */
const differs = sql<boolean>`(${listOf('scanned_products')}) is distinct from (${listOf('excluded')})`;

/**
 * Stores a product under the client's id, or finds that an earlier call has stored it. Other content changes it while
 * it is as it was created: the answer to the first call was lost, and the operator went on typing. Once it was changed
 * otherwise, a creation may be a late repetition, which must not undo that.
 */
export async function createScannedProduct(
  db: Db,
  id: string,
  fields: ScannedFields,
): Promise<ScannedChange> {
  const row = await db
    .insertInto('scanned_products')
    .values({ id, ...columnsOf(fields) })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((row) => ({
          ...Object.fromEntries(contentColumns.map((column) => [column, row.ref(`excluded.${column}`)])),
          version: sql<number>`scanned_products.version + (${differs})::int`,
          changed_at: sql<Date>`case when ${differs} then clock_timestamp() else scanned_products.changed_at end`,
        }))
        .where('scanned_products.deleted_at', 'is', null)
        .where(sql<boolean>`(scanned_products.version = 1 or not ${differs})`),
    )
    .returningAll()
    // A line that this statement has inserted has no deleting or updating transaction.
    .returning(sql<boolean>`xmax = 0`.as('is_new'))
    .executeTakeFirst();
  if (!row) return refusedChange(db, id, 'deleted');
  const { is_new, ...product } = row;
  if (is_new && (await isOverfull(db))) return { kind: 'full' };
  return { kind: is_new ? 'created' : 'kept', product };
}

async function isOverfull(db: Db): Promise<boolean> {
  const { count } = await db
    .selectFrom('scanned_products')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count > scannedMax;
}

/**
 * Changes a product. `version`: the one that the change is based on; null: whatever is stored. A product of another
 * version that has this content already is kept: the answer to an earlier call was lost.
 */
export async function changeScannedProduct(
  db: Db,
  { id, version }: { id: string; version: number | null },
  fields: ScannedFields,
): Promise<ScannedChange> {
  if (!isUuid(id)) return { kind: 'unknown' };
  const product = await db
    .updateTable('scanned_products')
    .set({
      ...columnsOf(fields),
      version: sql<number>`version + 1`,
      changed_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(version !== null, (query) => query.where('version', '=', version ?? 0))
    .returningAll()
    .executeTakeFirst();
  if (product) return { kind: 'changed', product };
  const same = await findSameContent(db, id, fields);
  return same ? { kind: 'kept', product: same } : refusedChange(db, id, 'unknown');
}

async function findSameContent(
  db: Db,
  id: string,
  fields: ScannedFields,
): Promise<ScannedRecord | undefined> {
  const values = columnsOf(fields);
  const list = sql.join(contentColumns.map((column) => values[column]));
  return db
    .selectFrom('scanned_products')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`(${listOf('scanned_products')}) is not distinct from (${list})`)
    .executeTakeFirst();
}

async function refusedChange(db: Db, id: string, otherwise: 'deleted' | 'unknown'): Promise<ScannedChange> {
  const current = await findScannedProduct(db, id);
  return current ? { kind: 'conflict', current } : { kind: otherwise };
}

/** A product that is not deleted, or undefined, also for a text that is not a UUID. */
export async function findScannedProduct(db: Db, id: string): Promise<ScannedRecord | undefined> {
  if (!isUuid(id)) return undefined;
  return db
    .selectFrom('scanned_products')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/**
 * Deletes a product and returns it; undefined if there is none. Its id stays known for 30 days, so that a late
 * repetition of its creation does not bring it back.
 */
export async function deleteScannedProduct(db: Db, id: string): Promise<ScannedRecord | undefined> {
  if (!isUuid(id)) return undefined;
  await sql`
    delete from scanned_products where id in (
      select id from scanned_products where deleted_at < now() - ${tombstoneDays} * interval '1 day'
      limit ${removedMax} for update skip locked
    )`.execute(db);
  return db
    .updateTable('scanned_products')
    .set({ deleted_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** A version of a product of the library. */
export type ScannedVersion = Pick<ScannedRecord, 'id' | 'version'>;

/** The version of a scanned product that a shop has; null: an older one, and nobody knows which. */
export type ScannedSync = { shop: string; version: number | null; storeProductId: string };

/**
 * Records which version of a product a shop has, by a sync or by the push of an import. Call it in the transaction that
 * records the write, before that locks a listing or an import: a save locks the product first.
 */
export async function recordScannedSync(
  db: Db,
  id: string,
  { shop, version, storeProductId }: ScannedSync,
): Promise<void> {
  await db
    .updateTable('scanned_products')
    .set({
      synced_at: sql<Date>`clock_timestamp()`,
      synced_shop: shop,
      synced_version: version,
      store_product_id: storeProductId,
    })
    .where('id', '=', id)
    .execute();
}

/** A product of the library with what is true of it now. */
export type ShownScanned = ScannedRecord & {
  /** Whether the shop has this version, and no write of the product is open. */
  is_synced: boolean;
  /** The shop's global id of the product, or null. */
  in_store: string | null;
  batches: { id: string; filename: string; row: number | null }[];
};

/** Products of the library, newest first. `nextBefore`: the cursor to older ones; null when there are none. */
export type ScannedPage = { products: ShownScanned[]; nextBefore: string | null; total: number };

export type ScannedQuery = {
  shop: string | null;
  /** The cursor of the page before. */
  before: string | null;
  /** Only products whose name, SKU or UPC contains the text. */
  search: string | null;
  limit: number;
};

/** Descriptions are long: a page has at most this many characters of them, and at least one product. */
const pageCharsMax = 4_000_000;

/** Microseconds and id, so that no two products have the same place. A JavaScript date would round the microseconds. */
const place = sql<string>`(extract(epoch from created_at) * 1000000)::bigint || '_' || id`;

/** A page of the library as `shop` has it. */
export async function readScannedPage(
  db: Db,
  { shop, before, search, limit }: ScannedQuery,
): Promise<ScannedPage> {
  const which = search === null ? sql`true` : containing(search);
  const { rows } = await sql<ScannedRecord & { place: string; found: number }>`
    with page as (
      select *, ${place} as place from scanned_products
      where deleted_at is null and ${which} and ${before === null ? sql`true` : after(before)}
      order by created_at desc, id limit ${limit + 1}
    ), measured as (
      select *, count(*) over () as found,
        sum(length(description)) over (order by created_at desc, id) - length(description) as chars
      from page
    )
    select * from measured where chars < ${pageCharsMax} order by created_at desc, id limit ${limit}`.execute(
    db,
  );
  const last = rows.at(-1);
  return {
    products: await asShown(db, shop, rows),
    nextBefore: last && last.found > rows.length ? last.place : null,
    total: await countScanned(db, which),
  };
}

/** A product of the library as `shop` has it, or undefined. */
export async function readShownScanned(
  db: Db,
  id: string,
  shop: string | null,
): Promise<ShownScanned | undefined> {
  const product = await findScannedProduct(db, id);
  const [shown] = product ? await asShown(db, shop, [product]) : [];
  return shown;
}

async function countScanned(db: Db, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from scanned_products where deleted_at is null and ${which}`.execute(db);
  return rows[0]?.total ?? 0;
}

type Batch = ShownScanned['batches'][number] & { product_id: string };

/** Adds to products what the shop and the imports have of them. */
async function asShown(
  db: Db,
  shop: string | null,
  products: readonly ScannedRecord[],
): Promise<ShownScanned[]> {
  if (products.length === 0) return [];
  const listings = shop === null ? new Map<string, Listed>() : await readListed(db, shop, products);
  const batches = await readBatches(db, products);
  return products.map((product) => {
    const { id, own_id, version, synced_shop, synced_version } = product;
    const isOfShop = shop !== null && synced_shop === shop;
    const listed = listings.get(own_id);
    return {
      ...product,
      is_synced: isOfShop && synced_version === version && !listed?.is_sending,
      in_store: listed?.store_product_id ?? (isOfShop ? product.store_product_id : null),
      batches: (batches.get(id) ?? []).map(({ id, filename, row }) => ({ id, filename, row })),
    };
  });
}

/** `is_sending`: a write was begun whose answer is not recorded. It may have an older version. */
type Listed = { store_product_id: string | null; is_sending: boolean };

/** What the shop has of products from us, by our id. */
async function readListed(
  db: Db,
  shop: string,
  products: readonly ScannedRecord[],
): Promise<Map<string, Listed>> {
  const rows = await db
    .selectFrom('listings')
    .select(['our_id', 'store_product_id', sql<boolean>`sending is not null`.as('is_sending')])
    .where('shop', '=', shop)
    .where('our_id', '=', sql<string>`any(${products.map(({ own_id }) => own_id)}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.our_id, row]));
}

/** The imports that products were added to, by product, in the order of adding. */
async function readBatches(db: Db, products: readonly ScannedRecord[]): Promise<Map<string, Batch[]>> {
  const { rows } = await sql<Batch>`
    with added as materialized (
      select product_id, import_id, -ordinal as byte_from, added_at from added_rows
      where product_id = any(${products.map(({ id }) => id)}::uuid[])
    ), bounds as materialized (
      select chunks.import_id, chunks.run, first_row, first_row + chunks.rows as end_row
      from imports join chunks on chunks.import_id = imports.id and chunks.run = imports.rows_run
        and chunks.stage = 'parse' and chunks.sequence = ${sql.lit(addedSequence)}
      where imports.id in (select import_id from added)
    ), placed as (
      select rows.import_id, rows.byte_from, rows.row from bounds
      join rows on rows.import_id = bounds.import_id and rows.run = bounds.run
        and rows.row >= first_row and rows.row < end_row
    )
    select product_id, imports.id, imports.filename, placed.row from added
    join imports on imports.id = added.import_id
    left join placed on placed.import_id = added.import_id and placed.byte_from = added.byte_from
    order by added.added_at`.execute(db);
  return Map.groupBy(rows, (batch) => batch.product_id);
}

function after(cursor: string): RawBuilder<unknown> {
  const [micros = '', id = ''] = cursor.split('_');
  const createdAt = sql`('epoch'::timestamptz + ${Number(micros)} * interval '1 microsecond')`;
  return sql`created_at <= ${createdAt} and (created_at < ${createdAt} or id > ${id}::uuid)`;
}

function containing(search: string): RawBuilder<unknown> {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`(name ilike ${pattern} or sku ilike ${pattern} or upc ilike ${pattern})`;
}
