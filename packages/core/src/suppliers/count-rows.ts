import { changeBit, type FieldGroup } from '@draftshelf/domain/suppliers/list';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { withoutNestedLoops } from '../connection/planner.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { nextVersion } from '../imports/imports.ts';
import { currentRows, type RunOfRows } from '../work/runs.ts';
import { newerStays, saidColumns } from './carried-values.ts';
import { groupHash, hashStart } from './group-hashes.ts';
import { partOfRows, type RowRange } from './items.ts';
import type { ListId } from './lists.ts';
import { mayHaveItem } from './row-items.ts';

/** Items that one transaction changes. */
export const countedMax = 5_000;

/** SQL value: an item as it is, for the way back. */
const asBefore = sql`case
  when items.content_list is null then json_build_object('key', items.key, 'content_list', null)
  else json_build_object('key', items.key, 'our_id', items.our_id, 'title', items.title,
    'hashes', encode(items.hashes, 'hex'), 'price', items.price, 'quantity', items.quantity, 'gtin', items.gtin,
    'first_list', items.first_list, 'content_list', items.content_list, 'missed_since', items.missed_since) end`;

/** SQL: keeps what some items are, `items`, before a list changes them. The second time it keeps nothing. */
const keepItems = ({ supplier, number }: ListId) => sql`
  insert into list_changes (supplier, list, item, before)
  select ${supplier}, ${number}, items.id, ${asBefore} from items order by items.id on conflict do nothing`;

const isDoubled = sql`coalesce(change & ${sql.lit(changeBit('doubled'))}, 0) <> 0`;

/** What a list of prices and stock says of items. `groups`: those that it has the same fields of as the last list. */
export type PartialContent = { hasPrice: boolean; hasQuantity: boolean; groups: readonly FieldGroup[] };

/** SQL: the columns of an item that a row gives it. A list of prices and stock leaves the others as they are. */
function contentOf(partial: PartialContent | null) {
  if (!partial) {
    return sql`product_id as our_id, named.title, item_hashes as hashes, item_price as price, item_quantity as quantity,
      item_gtin as gtin`;
  }
  const hashes = partial.groups.reduce((all, group) => {
    const hash = groupHash(sql.ref('item_hashes'), group);
    return sql`overlay(${all} placing ${hash} from ${hashStart(group)})`;
  }, sql`items.hashes`);
  return sql`items.our_id, items.title, ${hashes} as hashes,
    ${partial.hasPrice ? sql`coalesce(item_price, items.price)` : sql`items.price`} as price,
    ${partial.hasQuantity ? sql`coalesce(item_quantity, items.quantity)` : sql`items.quantity`} as quantity, items.gtin`;
}

/**
 * Gives the supplier's items the content of these rows, where it differs, and the ids of their products, and keeps what
 * they were. An item that was found under another key gets the new one, but not from a list of prices and stock, whose
 * rows change what they name of items that have content. May be repeated. Call it when the supplier is locked.
 */
export async function countRows(
  db: Db,
  record: ImportRecord,
  list: ListId,
  rows: RowRange,
  partial: PartialContent | null,
): Promise<void> {
  const { supplier, number } = list;
  const newKey = partial ? sql`coalesce(found.key, item_key)` : sql`item_key`;
  await withoutNestedLoops(db, () =>
    sql`
      with ${partOfRows(record, rows)}, counted as materialized (
        select distinct on (key) part.*, ids.our_id as product_id, ${newKey} as key, found.id as found
        from part join ids on ids.product = part.product
        left join lateral (
          select item, change from row_items
          where row_items.import_id = part.import_id and row_items.run = part.run and row_items.row = part.row offset 0
        ) row_items on true
        left join lateral (
          select id, key from supplier_items where supplier_items.id = row_items.item offset 0
        ) found on true
        where may_have_item and item_key is not null and not ${isDoubled}
        order by key, part.row
      ), named as materialized (
        select counted.*, coalesce(of_key.id, found) as item from counted left join lateral (
          select id from supplier_items where supplier = ${supplier} and supplier_items.key = counted.key offset 0
        ) of_key on true
      ), known as materialized (
        select * from supplier_items where id = any(array(select item from named))
      ), given as materialized (
        select item, named.key, items.first_list, ${contentOf(partial)}
        from named left join known items on items.id = item
        where ${partial ? sql`items.content_list is not null` : sql`true`}
      ), changed as materialized (
        select given.* from given left join known items on items.id = item
        where (items.content_list is not null and items.missed_since is null and items.key = given.key
          and items.our_id = given.our_id and items.hashes is not distinct from given.hashes
          and items.title is not distinct from given.title and items.price is not distinct from given.price
          and items.quantity is not distinct from given.quantity and items.gtin is not distinct from given.gtin)
          is not true
      ), locked as materialized (
        -- In the order in which a push locks those whose ids it takes.
        select id from supplier_items where id = any(array(select item from changed where item is not null))
        order by id for no key update
      ), items as (
        select * from known where id in (select id from locked)
      ), kept as (
        ${keepItems(list)}
      ), updated as (
        update supplier_items set key = changed.key, our_id = changed.our_id, title = changed.title,
          hashes = changed.hashes, price = changed.price, quantity = changed.quantity, gtin = changed.gtin,
          content_list = ${number}, missed_since = null
        from changed where id = item and id in (select id from locked)
      ), inserted as (
        insert into supplier_items (supplier, key, our_id, title, hashes, price, quantity, gtin, first_list, content_list)
        select ${supplier}, key, our_id, title, hashes, price, quantity, gtin, ${number}, ${number}
        from changed where item is null order by key
        returning id
      )
      insert into list_changes (supplier, list, item) select ${supplier}, ${number}, id from inserted`.execute(
      db,
    ),
  );
}

/**
 * Marks the next items of those that a list lacks as missed, by key after `after`, and keeps what they were. Returns
 * the last one; null: there is none left. May be repeated. Call it when the supplier is locked.
 */
export async function countMissing(
  db: Db,
  of: RunOfRows,
  list: ListId,
  after: string,
): Promise<string | null> {
  const { supplier, number } = list;
  const { rows } = await withoutNestedLoops(db, () =>
    sql<{ last: string | null }>`
      with next as materialized (
        select key from missing_items where import_id = ${of.import_id} and run = ${of.run} and key > ${after}
        order by key limit ${sql.lit(countedMax)}
      ), items as materialized (
        select * from supplier_items where supplier = ${supplier} and key = any(array(select key from next))
          and missed_since is null
      ), kept as (
        ${keepItems(list)}
      ), missed as (
        update supplier_items set missed_since = ${number} where id = any(array(select id from items))
      )
      select max(key) as last from next`.execute(db),
  );
  return rows[0]?.last ?? null;
}

/**
 * SQL: makes what is said of some items, `id`, said of others, `stays`: of two values of a field the newer one.
 * `pairs`: a query of both.
 */
const moveSaid = (supplier: number, pairs: RawBuilder<unknown>) => sql`
  joined as materialized (${pairs}), taken as (
    delete from carried_values said using joined
    where said.supplier = ${supplier} and said.subject = 'i:' || joined.id
    returning said.*, 'i:' || stays as stays
  ), said as (
    insert into carried_values (supplier, subject, ${saidColumns})
    select distinct on (stays, field) supplier, stays, ${saidColumns} from taken order by stays, field, said_at desc
    ${newerStays}
  )`;

/**
 * Removes missed items that the supplier lists by another key, and keeps what they were: a list that did not count had
 * that key first, without the GTIN by which an item is found. What was said of such an item is said of the one that is
 * listed. Call it when the supplier is locked and, before it, its carried values.
 */
export async function removeRenumbered(db: Db, list: ListId): Promise<void> {
  const { supplier } = list;
  await withoutNestedLoops(db, () =>
    sql`
      with listed as materialized (
        select our_id, gtin, min(id) as id from supplier_items
        where supplier = ${supplier} and missed_since is null and content_list is not null
          and (our_id, gtin) in (
            select our_id, gtin from supplier_items where supplier = ${supplier} and missed_since is not null)
        group by our_id, gtin
      ), items as materialized (
        select items.*, listed.id as listed from supplier_items items join listed using (our_id, gtin)
        where supplier = ${supplier} and missed_since is not null
      ), kept as (
        ${keepItems(list)}
      ), ${moveSaid(supplier, sql`select id, listed as stays from items`)}
      delete from supplier_items where id = any(array(select id from items))`.execute(db),
  );
}

/**
 * Removes items that have got the keys which the next part takes back, from lists that do not count: what is said of
 * them is said of the items that had these before.
 */
async function freeKeys(db: Db, { supplier, number }: ListId): Promise<void> {
  await withoutNestedLoops(db, () =>
    sql`
      with part as materialized (
        select item, before->>'key' as key from list_changes
        where supplier = ${supplier} and list = ${number} order by item limit ${sql.lit(countedMax)}
      ), holders as materialized (
        select items.id, part.item from part join supplier_items items on items.key = part.key
        where supplier = ${supplier} and items.id <> part.item and content_list is null
      ), ${moveSaid(supplier, sql`select id, item as stays from holders`)}
      delete from supplier_items where id = any(array(select id from holders))`.execute(db),
  );
}

/** SQL value: the key of an item before a list counted; while another item has that, the key that it has now. */
const keyThen = (supplier: number) => sql`case
  when exists (select from supplier_items others
    where others.supplier = ${supplier} and others.key = before->>'key' and others.id <> item) then items.key
  else coalesce(before->>'key', items.key) end`;

/** Takes the next items back to what they were before a list counted. Returns how many; 0 when there are no more. */
export async function restoreItems(db: Db, list: ListId): Promise<number> {
  const { supplier, number } = list;
  await freeKeys(db, list);
  const { rows } = await withoutNestedLoops(db, () =>
    sql<{ restored: number }>`
      with part as materialized (
        select item, before from list_changes where supplier = ${supplier} and list = ${number}
        order by item limit ${sql.lit(countedMax)}
      ), forgotten as (
        delete from list_changes
        where supplier = ${supplier} and list = ${number} and item = any(array(select item from part))
      ), removed as (
        delete from supplier_items where id = any(array(select item from part where before is null))
      ), emptied as (
        update supplier_items items set key = ${keyThen(supplier)}, content_list = null, missed_since = null
        from part where items.id = item and before is not null and before->>'content_list' is null
      ), restored as (
        insert into supplier_items (id, supplier, key, our_id, title, hashes, price, quantity, gtin, first_list,
          content_list, missed_since)
        overriding system value
        select item, ${supplier}, ${keyThen(supplier)}, was.our_id, was.title, decode(was.hashes, 'hex'), was.price, was.quantity,
          was.gtin, was.first_list, was.content_list, was.missed_since
        from part left join supplier_items items on items.id = item
        cross join lateral json_to_record(before) as was (our_id text, title text, hashes text, price bigint,
          quantity int, gtin bigint, first_list int, content_list int, missed_since int)
        where was.content_list is not null and ${keyThen(supplier)} is not null
        on conflict (id) do update set key = excluded.key, our_id = excluded.our_id, title = excluded.title,
          hashes = excluded.hashes, price = excluded.price, quantity = excluded.quantity, gtin = excluded.gtin,
          first_list = excluded.first_list, content_list = excluded.content_list, missed_since = excluded.missed_since
      )
      select count(*)::int as restored from part`.execute(db),
  );
  return rows[0]?.restored ?? 0;
}

/** Finds again which items an import's rows lack, because another list has counted since they were compared. */
export async function findMissingAgain(db: Db, record: ImportRecord, supplier: number): Promise<void> {
  const { import_id, run } = currentRows(record);
  const ofRun = sql`import_id = ${import_id} and run = ${run}`;
  await sql`delete from missing_items where ${ofRun}`.execute(db);
  await withoutNestedLoops(db, () =>
    sql`
      insert into missing_items (import_id, run, key)
      select ${import_id}, ${run}, key from supplier_items items
      where supplier = ${supplier} and content_list is not null and missed_since is null
        and not exists (select from rows where ${ofRun} and ${mayHaveItem} and item_key = items.key)
        and not exists (select from row_items where ${ofRun} and item = items.id)`.execute(db),
  );
}

/** Gives the imports that are lists of a supplier new versions: it has another name, or they are compared otherwise. */
export async function renewLists(db: Db, supplier: number): Promise<void> {
  await sql`
    update imports set version = ${nextVersion} where id = any(array(
      select id from imports where id in (
        select import_id from supplier_lists where supplier = ${supplier} order by number desc limit ${listsRenewed}
      ) order by id for no key update))`.execute(db);
}

/** The newest lists of a supplier: no operator waits for more. */
const listsRenewed = 100;
