import type { GoneProduct } from '@draftshelf/domain/push/line-facts-schema';
import { type CountedList, type GoneAction, goneUntil } from '@draftshelf/domain/suppliers/gone';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryFreshRows, runWithoutNestedLoops } from '../connection/planner.ts';
import { prepared } from '../connection/prepared.ts';
import { changeRows, queryRows, queryValue, queryValues } from '../connection/query-rows.ts';
import type { GonePlan } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { selectItems } from './items-at.ts';
import { readSupplierAnswers } from './suppliers.ts';

/** Returns the newest list since which a missing item counts as gone, or null. Skips repeated files and price lists. */
export async function findGoneThreshold(db: Db, supplier: number): Promise<number | null> {
  const answers = await readSupplierAnswers(db, supplier);
  if (!answers) return null;
  const counted = await queryRows<CountedList>(db)`
    select number, is_complete as "isComplete", (answers ->> 'isWhole')::boolean as "isWhole" from (
      select *, lag(sha256) over (order by counted_at, number) as sha256_before from supplier_lists
      where supplier = ${supplier} and state = 'counted' and is_complete is not null
    ) lists
    where sha256 is null or sha256 is distinct from sha256_before
    order by counted_at desc, number desc limit ${answers.goneAfter}`;
  return goneUntil(counted, answers);
}

/** SQL query: items that any list of a supplier has lacked, including items that later lists have again. */
const missedItems = (supplier: number) =>
  selectItems({
    supplier,
    ids: sql`array(select item from item_versions where supplier = ${supplier} and missed)`,
  });

const isGone = (supplier: number, until: number) => sql`
  items.supplier = ${supplier} and items.missed_since <= ${until}`;

export async function countGoneItems(db: Db, supplier: number, until: number): Promise<number> {
  return queryValue<number>(db)`
    select count(*)::int from (${missedItems(supplier)}) items
    where ${isGone(supplier, until)}`;
}

/** An item that the latest lists lack, with its content in the last list that had it, and its product in a store. */
export type MissingItem = {
  key: string;
  title: string | null;
  price: number | null;
  quantity: number | null;
  /** The file of the last list that had the item. */
  lastIn: string | null;
  url: string | null;
  product: string | null;
  /** The product's status in the store, as we last wrote or read it. */
  status: string | null;
};

export type ItemPage = { after: string; limit: number };

/** Reads a page of the items of an SQL query, ordered by key. */
export const readItemPage = (db: Db, items: RawBuilder<unknown>, { after, limit }: ItemPage) =>
  queryRows<MissingItem>(db)`
    select items.key, title, price, quantity, in_store.url, in_store.product, in_store.status, (
      select filename from supplier_lists lists
      where lists.supplier = items.supplier and state = 'counted' and lists.number < missed_since
      order by lists.number desc limit 1
    ) as "lastIn"
    from (select * from (${items}) items where key > ${after} order by key limit ${limit}) items
    left join lateral (
      select url, store_product_id as product, lower(coalesce(baseline->>'status', sent->>'status')) as status
      from listings join shops on shops.shop = listings.shop
      where listings.our_id = items.our_id and store_product_id is not null limit 1
    ) in_store on true
    order by items.key`;

/** Reads a page of the items that are gone, ordered by key. */
export const readGoneItemPage = (
  db: Db,
  { supplier, until }: Pick<GonePlan, 'supplier' | 'until'>,
  page: ItemPage,
) =>
  readItemPage(
    db,
    sql`select * from (${missedItems(supplier)}) items where ${isGone(supplier, until)}`,
    page,
  );

/**
 * SQL tables `listed` (the `products` of which the supplier still lists items) and `sold` (those in another supplier's
 * last list). They need `gone`, the gone items of `products`, and `items`, which has at least the items of `near`.
 */
const stillThere = (supplier: number, until: number) => sql`
  listed as materialized (
    select distinct our_id from items
    where supplier = ${supplier} and our_id in (select our_id from products)
      and (missed_since is null or missed_since > ${until} or content_list is null)
  ), others as materialized (
    select our_id, gtin, supplier from items
    where supplier <> ${supplier} and missed_since is null and content_list is not null
  ), sold as materialized (
    select matched.our_id, min(name) as sold_by from (
      select products.our_id, others.supplier from products join others using (our_id)
      union all
      select gone.our_id, others.supplier from gone join others using (gtin)
    ) matched join suppliers on suppliers.id = matched.supplier group by matched.our_id
  )`;

/** SQL condition: a product's last write was a push of kind 'gone'. */
const wasDone = sql`exists (
  select from listings join pushed_states on pushed_states.id = listings.state_id
  join runs on runs.import_id = pushed_states.import_id and runs.stage = 'push' and runs.run = pushed_states.run
  where listings.our_id = products.our_id and runs.kind = 'gone')`;

/** Inserts a preview line per product with gone items. Uses one statement, because our ids and GTINs have no index. */
export async function insertGoneLines(
  db: Db,
  preview: number,
  { supplier, until, keys, automatic }: GonePlan,
): Promise<number> {
  return runWithoutNestedLoops(
    db,
    () => changeRows(db)`
      with items as materialized (
        ${selectItems({ supplier: null })}
      ), gone as materialized (
        select key, our_id, title, gtin, ${keys === null ? sql`true` : sql`key = any(${keys}::text[])`} as is_wanted
        from items where ${isGone(supplier, until)}
      ), products as materialized (
        select our_id, min(key) as first_key, (array_agg(title order by key))[1] as title, bool_and(is_wanted) as is_all,
          array_agg(key order by key) filter (where is_wanted) as keys
        from gone group by our_id having bool_or(is_wanted)
      ), ${stillThere(supplier, until)}
      insert into preview_lines (preview, line, our_id, title, facts)
      select ${preview}, row_number() over (order by first_key), products.our_id, title, jsonb_build_object('keys', keys,
        'isWhole', is_all and listed.our_id is null, 'isListed', listed.our_id is not null, 'soldBy', sold_by)
      from products left join listed using (our_id) left join sold using (our_id)
      where ${automatic ? sql`not ${wasDone}` : sql`true`}`,
  );
}

/** Keys of a product's gone items. `isListed`: the product has listed items, too. `soldBy`: a supplier listing it. */
export type StillGoneItems = { keys: string[] } & Pick<GoneProduct, 'isListed' | 'soldBy'>;

const isNear = sql`our_id in (select our_id from products) or gtin in (select gtin from gone)`;

/** SQL array: ids of items that belong to a product of `products` or have the GTIN of an item in `gone`. */
const near = sql`array(
  select id from supplier_items where ${isNear} union select item from item_versions where ${isNear})`;

/** Returns, by our id, the still gone items of planned products. Reads all items once, because there is no index. */
export async function readStillGoneItems(
  db: Db,
  { supplier, until }: GonePlan,
  ourIds: readonly string[],
): Promise<Map<string, StillGoneItems>> {
  const rows = await queryFreshRows<{ ourId: string } & StillGoneItems>(db)`
    with gone as materialized (
      select key, our_id, gtin from (${missedItems(supplier)}) items
      where ${isGone(supplier, until)} and our_id = any(${ourIds}::text[])
    ), products as materialized (
      select our_id, array_agg(key) as keys from gone group by our_id
    ), items as materialized (
      ${selectItems({ supplier: null, ids: near })}
    ), ${stillThere(supplier, until)}
    select our_id as "ourId", keys, listed.our_id is not null as "isListed", sold_by as "soldBy"
    from products left join listed using (our_id) left join sold using (our_id)`;
  return new Map(rows.map(({ ourId, ...now }) => [ourId, now]));
}

/** Returns our ids of the products that a push of kind 'gone' has changed since their items went missing. */
export async function listChangedGoneProducts(
  db: Db,
  { supplier, shop }: { supplier: number; shop: string },
  products: readonly { ourId: string; key: string }[],
): Promise<Set<string>> {
  const changed = await queryValues<string>(db)`
    select given.our_id from ${unnestRows('given', products, { ourId: 'text', key: 'text' })}
    join (${missedItems(supplier)}) items on items.key = given.key
    join supplier_lists lists on lists.supplier = ${supplier} and lists.number = missed_since
    where exists (select from ledger where ledger.shop = ${shop} and ledger.our_id = given.our_id
        and origin = 'gone' and effect = 'updated' and recorded_at > began_at)`;
  return new Set(changed);
}

/** Finds suppliers' last counted lists that full auto pushed and whose gone products still need action `when_gone`. */
export const findListsForGoneAction = (db: Db) =>
  queryRows<{ id: string; action: GoneAction }>(db)`${prepared}
    select imports.id, when_gone as action from suppliers
    cross join lateral (
      select import_id, is_complete, gone_acted_at from supplier_lists
      where supplier = suppliers.id and state = 'counted'
      order by counted_at desc, number desc limit 1
    ) last
    join imports on imports.id = last.import_id
    where when_gone <> 'nothing' and is_complete and gone_acted_at is null and imports.status = 'completed'
      and exists (select from runs
        where import_id = imports.id and stage = 'push' and runs.kind = 'full' and runs.automatic)
      and not exists (select from previews
        where import_id = imports.id and previews.kind = 'gone' and problem is not null)`;
