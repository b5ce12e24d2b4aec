import { changeBit, type FieldGroup } from '@draftshelf/domain/suppliers/list';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { withoutNestedLoops } from '../connection/planner.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { nextVersion } from '../imports/imports.ts';
import { currentRows, type RunOfRows } from '../work/runs.ts';
import { groupHash, hashStart } from './group-hashes.ts';
import { type ListId, partOfRows, type RowRange } from './items.ts';
import { mayHaveItem } from './row-items.ts';

/** Items that one transaction changes. */
export const countedMax = 5_000;

/** SQL value: an item as it is, for the way back. */
const asBefore = sql`case when items.key is null then null
  when items.content_list is null then json_build_object('content_list', null)
  else json_build_object('our_id', items.our_id, 'title', items.title, 'hashes', encode(items.hashes, 'hex'),
    'price', items.price, 'quantity', items.quantity, 'gtin', items.gtin, 'first_list', items.first_list,
    'content_list', items.content_list, 'missed_since', items.missed_since) end`;

const isDoubled = sql`coalesce(change & ${sql.lit(changeBit('doubled'))}, 0) <> 0`;

/** What a list of prices and stock says of items. `groups`: those that it has the same fields of as the last list. */
export type PartialContent = { hasPrice: boolean; hasQuantity: boolean; groups: readonly FieldGroup[] };

/** SQL: the columns of an item that a row gives it. A list of prices and stock leaves the others as they are. */
function contentOf(partial: PartialContent | null) {
  if (!partial) {
    return sql`product_id as our_id, counted.title, item_hashes as hashes, item_price as price, item_quantity as quantity,
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
  { supplier, number }: ListId,
  rows: RowRange,
  partial: PartialContent | null,
): Promise<void> {
  const newKey = partial ? sql`coalesce(row_items.item, item_key)` : sql`item_key`;
  await withoutNestedLoops(db, () =>
    sql`
      with ${partOfRows(record, rows)}, counted as materialized (
        select distinct on (key) part.*, ids.our_id as product_id, ${newKey} as key, row_items.item as old_key
        from part join ids on ids.product = part.product
        left join lateral (
          select item, change from row_items
          where row_items.import_id = part.import_id and row_items.run = part.run and row_items.row = part.row offset 0
        ) row_items on true
        where may_have_item and item_key is not null and not ${isDoubled}
        order by key, part.row
      ), items as materialized (
        select * from supplier_items where supplier = ${supplier} and key = any(
          array(select key from counted union all select old_key from counted where old_key is not null))
      ), given as materialized (
        select counted.key, old_key, items.key is null as is_new, ${contentOf(partial)}
        from counted left join items on items.key = counted.key
        where ${partial ? sql`items.content_list is not null` : sql`true`}
      ), changed as materialized (
        select given.*, moved.key as moved_key, moved.first_list as moved_first from given
        left join items on items.key = given.key
        left join items moved on moved.key = given.old_key and is_new
        where (items.content_list is not null and items.missed_since is null
          and items.our_id = given.our_id and items.hashes is not distinct from given.hashes
          and items.title is not distinct from given.title and items.price is not distinct from given.price
          and items.quantity is not distinct from given.quantity and items.gtin is not distinct from given.gtin)
          is not true
      ), kept as (
        insert into list_changes (supplier, list, key, before)
        select ${supplier}, ${number}, keys.key, ${asBefore} from (
          select key from changed union select moved_key from changed where moved_key is not null
        ) keys left join items on items.key = keys.key
        order by keys.key
        on conflict do nothing
      ), removed as (
        delete from supplier_items where supplier = ${supplier}
          and key = any(array(select moved_key from changed))
      )
      insert into supplier_items (supplier, key, our_id, title, hashes, price, quantity, gtin, first_list, content_list)
      select ${supplier}, key, our_id, title, hashes, price, quantity, gtin, coalesce(moved_first, ${number}), ${number}
      from changed order by key
      on conflict (supplier, key) do update set our_id = excluded.our_id, title = excluded.title,
        hashes = excluded.hashes, price = excluded.price, quantity = excluded.quantity, gtin = excluded.gtin,
        content_list = excluded.content_list, missed_since = null`.execute(db),
  );
}

/**
 * Marks the next items of those that a list lacks as missed, by key after `after`, and keeps what they were. Returns
 * the last one; null: there is none left. May be repeated. Call it when the supplier is locked.
 */
export async function countMissing(
  db: Db,
  of: RunOfRows,
  { supplier, number }: ListId,
  after: string,
): Promise<string | null> {
  const { rows } = await withoutNestedLoops(db, () =>
    sql<{ last: string | null }>`
      with next as materialized (
        select key from missing_items where import_id = ${of.import_id} and run = ${of.run} and key > ${after}
        order by key limit ${sql.lit(countedMax)}
      ), items as materialized (
        select * from supplier_items where supplier = ${supplier} and key = any(array(select key from next))
          and missed_since is null
      ), kept as (
        insert into list_changes (supplier, list, key, before)
        select ${supplier}, ${number}, items.key, ${asBefore} from items order by key
        on conflict do nothing
      ), missed as (
        update supplier_items set missed_since = ${number}
        where supplier = ${supplier} and key = any(array(select key from items))
      )
      select max(key) as last from next`.execute(db),
  );
  return rows[0]?.last ?? null;
}

/**
 * Removes missed items that the supplier lists by another key, and keeps what they were: a list that did not count had
 * that key first, without the GTIN by which an item is found. Call it when the supplier is locked.
 */
export async function removeRenumbered(db: Db, { supplier, number }: ListId): Promise<void> {
  await withoutNestedLoops(db, () =>
    sql`
      with items as materialized (
        select * from supplier_items where supplier = ${supplier} and missed_since is not null
          and (our_id, gtin) in (select our_id, gtin from supplier_items
            where supplier = ${supplier} and missed_since is null and content_list is not null)
      ), kept as (
        insert into list_changes (supplier, list, key, before)
        select ${supplier}, ${number}, items.key, ${asBefore} from items order by key
        on conflict do nothing
      )
      delete from supplier_items where supplier = ${supplier} and key = any(array(select key from items))`.execute(
      db,
    ),
  );
}

/** Takes the next items back to what they were before a list counted. Returns how many; 0 when there are no more. */
export async function restoreItems(db: Db, { supplier, number }: ListId): Promise<number> {
  const { rows } = await withoutNestedLoops(db, () =>
    sql<{ restored: number }>`
      with part as materialized (
        select key, before from list_changes where supplier = ${supplier} and list = ${number}
        order by key limit ${sql.lit(countedMax)}
      ), forgotten as (
        delete from list_changes
        where supplier = ${supplier} and list = ${number} and key = any(array(select key from part))
      ), removed as (
        delete from supplier_items
        where supplier = ${supplier} and key = any(array(select key from part where before is null))
      ), emptied as (
        update supplier_items set content_list = null, missed_since = null
        where supplier = ${supplier} and key = any(array(
          select key from part where before is not null and before->>'content_list' is null))
      ), restored as (
        insert into supplier_items (supplier, key, our_id, title, hashes, price, quantity, gtin, first_list,
          content_list, missed_since)
        select ${supplier}, key, item.our_id, item.title, decode(item.hashes, 'hex'), item.price, item.quantity,
          item.gtin, item.first_list, item.content_list, item.missed_since
        from part cross join lateral json_to_record(before) as item (our_id text, title text, hashes text, price bigint,
          quantity int, gtin bigint, first_list int, content_list int, missed_since int)
        where before->>'content_list' is not null
        on conflict (supplier, key) do update set our_id = excluded.our_id, title = excluded.title,
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
        and not exists (select from row_items where ${ofRun} and item = items.key)`.execute(db),
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
