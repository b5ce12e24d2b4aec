import type { ProductKey, ProductKeyKind } from '@draftshelf/domain/products/product-keys';
import type { CopiedProduct } from '@draftshelf/domain/push/copied-product';
import type { KeyOwner } from '@draftshelf/domain/push/match-standing';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryRows } from '../../connection/query-rows.ts';
import { storableJson } from '../../connection/storable-json.ts';

type KeyedProduct = { ourId: string; keys: readonly ProductKey[] };

/** A store product that has the same key as one of our products, but another id. */
export type StoreMatch = {
  storeProductId: string;
  ourId: string | null;
  /** The kind of the shared key. A SKU is preferred to a GTIN, and a GTIN to an item number. */
  kind: ProductKeyKind;
  /** Whether one of our listings links to the store product. */
  isListed: boolean;
  /** 'own': the import's supplier. 'other': another supplier, named in `supplier`. Null if unknown. */
  owner: KeyOwner;
  supplier: string | null;
  /** Those of our keys that are item numbers of the matched product. */
  itemNumbers: readonly string[];
  copy: Pick<
    CopiedProduct,
    'title' | 'vendor' | 'type' | 'status' | 'skus' | 'gtins' | 'price' | 'updatedAt'
  > | null;
};

export type MatchCandidate = StoreMatch & {
  /** Whether an item number of our own supplier's listing matched. The product in the store may lack this number. */
  byItem: boolean;
};

/** Replaces the keys of pushed products. A key that stays keeps its supplier and the import that pushed it first. */
export async function replaceProductKeys(
  db: Db,
  shop: string,
  products: readonly (KeyedProduct & { importId: string | null })[],
): Promise<void> {
  const ourIds = products.map(({ ourId }) => ourId);
  if (ourIds.length === 0) return;
  const given = products.flatMap(({ ourId, importId, keys }) =>
    keys.map(({ kind, value }) => ({ ourId, importId, kind, value })),
  );
  // Sorted, because two pushes may record the same products at once and would otherwise deadlock.
  const sorted = given.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  await sql`
    delete from product_keys where shop = ${shop} and our_id = any(${ourIds}::text[])
      and (kind || ' ' || value || ' ' || our_id) <> all(${sorted.map(nameOf)}::text[])`.execute(db);
  await sql`
    insert into product_keys as known (shop, kind, value, our_id, import_id, supplier)
    select distinct on (kind, value, "ourId") ${shop}, kind, value, "ourId", "importId", imports.supplier
    from json_to_recordset(${storableJson(sorted)}::json)
      as given (kind text, value text, "ourId" text, "importId" uuid)
    left join imports on imports.id = "importId" order by kind, value, "ourId"
    on conflict (shop, kind, value, our_id) do update set supplier = excluded.supplier
      where excluded.supplier is distinct from known.supplier
        and (known.supplier is null or known.import_id = excluded.import_id)`.execute(db);
}

const nameOf = ({ kind, value, ourId }: ProductKey & { ourId: string }) => `${kind} ${value} ${ourId}`;

/** SQL condition: an import created the product of a row of `product_keys`. */
const createdBy = (shop: string, importId: string | null) => sql`exists (
  select 1 from ledger where ledger.shop = ${shop} and ledger.our_id = product_keys.our_id
    and ledger.import_id = ${importId}::uuid and ledger.effect = 'created')`;

/** SQL value: the key's supplier, else the import's supplier, which may have been set after the key was recorded. */
const supplierOfKey = sql`coalesce(product_keys.supplier, imports.supplier)`;

const candidatesMax = 20;

/**
 * Finds store products that have a key of our product but another id. Returns them by our id: same supplier first,
 * then by kind of key and our last push. Excludes other suppliers' item numbers, our pushed products, and products of
 * this import, whose duplicates are reported elsewhere. Matches in our copy may lack the key or be deleted.
 */
export async function findMatches(
  db: Db,
  shop: string,
  importId: string | null,
  products: readonly KeyedProduct[],
): Promise<Map<string, MatchCandidate[]>> {
  const given = products.flatMap(({ ourId, keys }) => keys.map((key) => ({ ...key, ourId })));
  if (given.length === 0) return new Map();
  const rows = await queryRows<MatchCandidate & { wanted: string }>(db)`
    with mine as materialized (
      select supplier from imports where id = ${importId}::uuid
    ), given as materialized (
      select one.* from json_to_recordset(${storableJson(given)}::json) as one (kind text, value text, "ourId" text)
      where not exists (select 1 from listings where shop = ${shop} and our_id = one."ourId"
        and store_product_id is not null)
    ), own as materialized (
      select distinct listings.store_product_id from given join product_keys using (kind, value)
      join listings on listings.shop = product_keys.shop and listings.our_id = product_keys.our_id
      where product_keys.shop = ${shop} and product_keys.import_id = ${importId}::uuid
        and listings.store_product_id is not null and ${createdBy(shop, importId)}
    ), copied as (
      select given."ourId" as wanted, kind, id, our_id from given
      join store_products on shop = ${shop} and kind = 'sku' and skus @> array[value]
      union all
      select given."ourId", kind, id, our_id from given
      join store_products on shop = ${shop} and kind = 'gtin' and gtins @> array[value]
    ), found as (
      select given."ourId" as wanted, given.kind, listings.store_product_id as id, listings.our_id, true as listed, listings.pushed_at,
        ${supplierOfKey} as supplier
      from given join product_keys using (kind, value)
      join listings on listings.shop = product_keys.shop and listings.our_id = product_keys.our_id
      left join imports on imports.id = product_keys.import_id
      where product_keys.shop = ${shop}
        and (kind <> 'item' or coalesce(${supplierOfKey} = (table mine), true))
        and (${importId}::uuid is null or product_keys.import_id is distinct from ${importId}::uuid
          or not ${createdBy(shop, importId)})
        and listings.our_id <> given."ourId" and listings.store_product_id is not null
      union all
      select wanted, kind, id, copied.our_id, listings.our_id is not null, pushed_at, null
      from copied left join listings on listings.shop = ${shop} and listings.our_id = copied.our_id
        and listings.store_product_id = copied.id
      where copied.our_id is distinct from wanted and id not in (select store_product_id from own)
    ), ranked as (
      select wanted, id, min(array_position(array['sku','gtin','item'], kind)) as kind, bool_or(listed) as listed,
        bool_or(kind = 'item') as "byItem", max(pushed_at) as pushed_at,
        (array_agg(our_id order by listed desc, pushed_at desc nulls last))[1] as our_id,
        bool_or(supplier = (table mine)) as own, min(supplier) filter (where supplier <> (table mine)) as other
      from found group by wanted, id
    ), first as (
      select *, row_number() over (partition by wanted
        order by own is true desc, kind, listed desc, pushed_at desc nulls last, id) as at from ranked
    )
    select wanted, (array['sku','gtin','item'])[first.kind] as kind, first.id as "storeProductId",
      first.our_id as "ourId", listed as "isListed", "byItem",
      case when own then 'own' when other is not null then 'other' end as owner,
      case when own is not true then suppliers.name end as supplier,
      array(select item.value from product_keys item join given on given."ourId" = wanted and given.value = item.value
        where item.shop = ${shop} and item.our_id = first.our_id and item.kind = 'item') as "itemNumbers",
      case when copy.id is not null then json_build_object('title', copy.title, 'vendor', copy.vendor,
        'type', copy.type, 'status', copy.status, 'skus', copy.skus, 'gtins', copy.gtins, 'price', copy.price,
        'updatedAt', copy.updated_at) end as copy
    from first left join store_products copy on copy.shop = ${shop} and copy.id = first.id
    left join suppliers on suppliers.id = first.other
    where at <= ${candidatesMax} order by wanted, at`;
  const byProduct = Map.groupBy(rows, ({ wanted }) => wanted);
  return new Map(
    [...byProduct].map(([wanted, found]) => [wanted, found.map(({ wanted: _, ...one }) => one)]),
  );
}
