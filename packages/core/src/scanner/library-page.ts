import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { toLikePattern } from '../connection/like-pattern.ts';
import { queryRows } from '../connection/query-rows.ts';
import type { ScannedRecord } from '../connection/schema.ts';
import { addedRowsSequence } from './run-added-rows.ts';
import { countScannedProducts, findScannedProduct } from './scanned-products.ts';

export type ShownScannedProduct = ScannedRecord & {
  /** True if the shop has this version of the product, and no write of the product is open. */
  is_synced: boolean;
  in_store: string | null;
  batches: { id: string; filename: string; row: number | null }[];
};

/** A page of products, newest first. `nextBefore` is the cursor of the next page, or null after the last one. */
export type ScannedPage = { products: ShownScannedProduct[]; nextBefore: string | null; total: number };

export type ScannedQuery = {
  shop: string | null;
  before: string | null;
  /** A text to search for in name, SKU and UPC. */
  search: string | null;
  limit: number;
};

/** Maximum characters of the descriptions in a page. A single product is a page even if it has more characters. */
const pageCharsMax = 4_000_000;

/** The cursor of a product: the creation time in microseconds, which a JavaScript date would round, and the id. */
const place = sql<string>`(extract(epoch from created_at) * 1000000)::bigint || '_' || id`;

export async function readScannedPage(
  db: Db,
  { shop, before, search, limit }: ScannedQuery,
): Promise<ScannedPage> {
  const which = search === null ? sql`true` : containing(search);
  const read = sql<ScannedRecord & { place: string; has_older: boolean }>`
    with page as (
      select *, ${place} as place from scanned_products
      where deleted_at is null and ${which} and ${before === null ? sql`true` : after(before)}
      order by created_at desc, id limit ${limit + 1}
    ), measured as (
      select *, lead(id) over newest_first is not null as has_older,
        sum(length(description)) over newest_first - length(description) as chars
      from page window newest_first as (order by created_at desc, id)
    )
    select * from measured where chars < ${pageCharsMax} order by created_at desc, id limit ${limit}`;
  const [{ rows }, total] = await Promise.all([read.execute(db), countScannedProducts(db, which)]);
  const last = rows.at(-1);
  return {
    products: await asShown(db, shop, rows),
    nextBefore: last?.has_older ? last.place : null,
    total,
  };
}

export async function readShownScannedProduct(
  db: Db,
  id: string,
  shop: string | null,
): Promise<ShownScannedProduct | undefined> {
  const product = await findScannedProduct(db, id);
  const [shown] = product ? await asShown(db, shop, [product]) : [];
  return shown;
}

type Batch = ShownScannedProduct['batches'][number] & { product_id: string };

async function asShown(
  db: Db,
  shop: string | null,
  products: readonly ScannedRecord[],
): Promise<ShownScannedProduct[]> {
  if (products.length === 0) return [];
  const [listings, batches] = await Promise.all([
    shop === null ? new Map<string, Listed>() : readListed(db, shop, products),
    readBatches(db, products),
  ]);
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

/** `is_sending`: a write has no recorded result yet, maybe a write of an older version of the product. */
type Listed = { store_product_id: string | null; is_sending: boolean };

async function readListed(
  db: Db,
  shop: string,
  products: readonly ScannedRecord[],
): Promise<Map<string, Listed>> {
  const rows = await queryRows<Listed & { our_id: string }>(db)`
    select our_id, store_product_id, sending is not null as is_sending from listings
    where shop = ${shop} and our_id = any(${products.map(({ own_id }) => own_id)}::text[])`;
  return new Map(rows.map((row) => [row.our_id, row]));
}

async function readBatches(db: Db, products: readonly ScannedRecord[]): Promise<Map<string, Batch[]>> {
  const rows = await queryRows<Batch>(db)`
    with added as materialized (
      select product_id, import_id, -ordinal as byte_from, added_at from added_rows
      where product_id = any(${products.map(({ id }) => id)}::uuid[])
    ), bounds as materialized (
      select chunks.import_id, chunks.run, first_row, first_row + chunks.rows as end_row
      from imports join chunks on chunks.import_id = imports.id and chunks.run = imports.rows_run
        and chunks.stage = 'parse' and chunks.sequence = ${sql.lit(addedRowsSequence)}
      where imports.id in (select import_id from added)
    ), placed as (
      select rows.import_id, rows.byte_from, rows.row from bounds
      join rows on rows.import_id = bounds.import_id and rows.run = bounds.run
        and rows.row >= first_row and rows.row < end_row
    )
    select product_id, imports.id, imports.filename, placed.row from added
    join imports on imports.id = added.import_id
    left join placed on placed.import_id = added.import_id and placed.byte_from = added.byte_from
    order by added.added_at`;
  return Map.groupBy(rows, (batch) => batch.product_id);
}

function after(cursor: string): RawBuilder<unknown> {
  const [micros = '', id = ''] = cursor.split('_');
  const createdAt = sql`('epoch'::timestamptz + ${Number(micros)} * interval '1 microsecond')`;
  return sql`created_at <= ${createdAt} and (created_at < ${createdAt} or id > ${id}::uuid)`;
}

function containing(search: string): RawBuilder<unknown> {
  const pattern = toLikePattern(search);
  return sql`(name ilike ${pattern} or sku ilike ${pattern} or upc ilike ${pattern})`;
}
