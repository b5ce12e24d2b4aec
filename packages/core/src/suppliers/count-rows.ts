import type { FieldGroup } from '@draftshelf/domain/suppliers/list';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryFreshRows } from '../connection/planner.ts';
import { changeRows } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { nextVersion } from '../imports/imports.ts';
import { currentRows, type RunOfRows } from '../work/runs.ts';
import { carriedColumns, onConflictKeepNewer } from './carried-values.ts';
import { productIds, type RowRange, selectPartRows } from './items.ts';
import { groupHash, groupHashStart, selectItems } from './items-at.ts';
import type { ListId } from './lists.ts';
import { isKeyDoubled, joinFoundItems, rowsWithItemKey, unmatchedItems } from './row-items.ts';

/** Rows per transaction. */
export const countedRowsMax = 5_000;

/** Content of a list of prices and stock. `groups`: the field groups whose fields are the same in the last list. */
export type PartialContent = { hasPrice: boolean; hasQuantity: boolean; groups: readonly FieldGroup[] };

/** SQL columns: an item's content from its row. If `partial` is set, only the price and stock come from the row. */
function contentOf(partial: PartialContent | null) {
  if (!partial) {
    return sql`product_id as our_id, listed.title, item_hashes as hashes, item_price as price,
      item_quantity as quantity, item_gtin as gtin`;
  }
  const hashes = partial.groups.reduce((all, group) => {
    const hash = groupHash(sql.ref('item_hashes'), group);
    return sql`overlay(${all} placing ${hash} from ${groupHashStart(group)})`;
  }, sql`items.hashes`);
  return sql`items.our_id, items.title, ${hashes} as hashes,
    ${partial.hasPrice ? sql`coalesce(item_price, items.price)` : sql`items.price`} as price,
    ${partial.hasQuantity ? sql`coalesce(item_quantity, items.quantity)` : sql`items.quantity`} as quantity, items.gtin`;
}

/**
 * Stores the content and product ids of rows as item versions, if these differ from the lists that count. Inserts new
 * items. An item that was found under another key gets its row's key. A list of prices and stock neither renames nor
 * inserts items. Safe to repeat. The caller has locked the supplier.
 */
export async function countRows(
  db: Db,
  record: ImportRecord,
  { supplier, number }: ListId,
  rows: RowRange,
  partial: PartialContent | null,
): Promise<void> {
  const { run } = currentRows(record);
  const part = await selectPartRows(db, record, rows);
  const renamed = partial ? [] : await renameItems(db, supplier, part);
  const key = partial
    ? sql`coalesce((select key from supplier_items where id = row_items.item), item_key)`
    : sql`item_key`;
  const items = selectItems({
    ...{ supplier, counting: partial ? null : { number, run } },
    ids: sql`array(select item from listed)`,
  });
  await queryFreshRows(db)`
    with ${part}, listed as materialized (
      select keyed.*, (
        select id from supplier_items items where items.supplier = ${supplier} and items.key = keyed.key
      ) as item
      from (
        select distinct on (key) part.*, ids.our_id as product_id, ${key} as key
        from part join ${productIds(record)} using (product) ${joinFoundItems('part')}
        where ${isCounted} order by key, part.row
      ) keyed
    ), items as materialized (${items}), changed as materialized (
      select item, listed.key, given.*, key_before from listed left join items on items.id = item
      left join ${unnestRows('renamed', renamed, { id: 'bigint', keyBefore: 'text' })} on renamed.id = item
      cross join lateral (select ${contentOf(partial)}) given
      where ${partial ? sql`items.content_list is not null` : sql`true`}
        and (items.content_list is not null and items.missed_since is null and key_before is null
          and items.our_id = given.our_id and items.hashes is not distinct from given.hashes
          and items.title is not distinct from given.title and items.price is not distinct from given.price
          and items.quantity is not distinct from given.quantity and items.gtin is not distinct from given.gtin)
          is not true
    ), inserted as (
      insert into supplier_items (supplier, key, our_id, title, hashes, price, quantity, gtin, first_list, first_run)
      select ${supplier}, key, our_id, title, hashes, price, quantity, gtin, ${number}, ${run}
      from changed where item is null order by key
    )
    insert into item_versions as versions (supplier, item, list, run, our_id, title, hashes, price, quantity, gtin,
      key_before)
    select ${supplier}, item, ${number}, ${run}, our_id, title, hashes, price, quantity, gtin, key_before
    from changed where item is not null order by item
    on conflict (supplier, item, list, run) do update set our_id = excluded.our_id, title = excluded.title,
      hashes = excluded.hashes, price = excluded.price, quantity = excluded.quantity, gtin = excluded.gtin,
      missed = false, same_as = null, key_before = coalesce(versions.key_before, excluded.key_before)`;
}

const isCounted = sql`may_have_item and item_key is not null and not ${isKeyDoubled}`;

/** Gives items found under another key their row's key, unless another item or row has that key. Returns old keys. */
async function renameItems(db: Db, supplier: number, part: RawBuilder<unknown>) {
  return queryFreshRows<{ id: number; keyBefore: string }>(db)`
    with ${part}, listed as materialized (
      select distinct on (item_key) item_key, found.id, found.key from part ${joinFoundItems('part')}
      left join lateral (
        select id, key from supplier_items where supplier_items.id = row_items.item offset 0
      ) found on true
      where ${isCounted} order by item_key, part.row
    ), renamed as materialized (
      -- In the order in which a push locks those whose ids it takes.
      select items.id, items.key as key_before, item_key from supplier_items items join listed using (id)
      where items.id = any(array(select id from listed where key <> item_key))
        and items.key not in (select item_key from listed)
        and (select others.id from supplier_items others where others.supplier = ${supplier} and others.key = item_key) is null
      order by items.id for no key update of items
    )
    update supplier_items items set key = item_key from renamed
    where items.id = renamed.id and items.id = any(array(select id from renamed))
    returning items.id, key_before as "keyBefore"`;
}

/** Removes versions that an earlier count of a list stored, so that its rows are compared with the lists that count. */
export async function deleteItemVersions(db: Db, { supplier, number }: ListId, run: number): Promise<void> {
  await sql`
    delete from item_versions
    where supplier = ${supplier} and list = ${number} and run = ${run} and key_before is null`.execute(db);
}

/** SQL query: items that a run lacks, but counted lists have. `before`: only lists that counted before this list. */
export const selectMissingItems = (of: RunOfRows, supplier: number, before: number | null) => sql`
  select * from (${selectItems({ supplier, before, ids: sql`array(${unmatchedItems(of, supplier)})` })}) items
  where content_list is not null and missed_since is null and not exists (${rowsWithItemKey(of)})`;

/** Marks the items that a complete list lacks as missed. For an incomplete list, removes the marks. Safe to repeat. */
export async function markMissingItems(
  db: Db,
  record: ImportRecord,
  { supplier, number }: ListId,
  isComplete: boolean,
): Promise<void> {
  const of = currentRows(record);
  if (!isComplete) {
    await sql`delete from item_versions where supplier = ${supplier} and list = ${number} and run = ${of.run}
      and missed and same_as is null`.execute(db);
    return;
  }
  await queryFreshRows(db)`
    insert into item_versions (supplier, item, list, run, our_id, title, hashes, price, quantity, gtin, missed)
    select ${supplier}, id, ${number}, ${of.run}, our_id, title, hashes, price, quantity, gtin, true
    from (${selectMissingItems(of, supplier, number)}) missing order by id
    on conflict do nothing`;
}

/** SQL: moves carried values from items `joined.id` to `joined.stays`. If a list has both values, the newer stays. */
const moveSaid = (supplier: number) => sql`
  taken as (
    delete from carried_values said using joined
    where said.supplier = ${supplier} and said.subject = 'i:' || joined.id
    returning said.*, 'i:' || stays as stays
  ), said as (
    insert into carried_values (supplier, subject, ${carriedColumns})
    select distinct on (stays, field, import_id) supplier, stays, ${carriedColumns} from taken
    order by stays, field, import_id, said_at desc
    ${onConflictKeepNewer}
  )`;

/**
 * Joins missed items with listed items of the same product and GTIN under another key. Two such items exist if a list
 * that did not count had the new key first, without the GTIN. Lock the carried values first, then the supplier.
 */
export async function joinRenumberedItems(db: Db, { supplier, number }: ListId, run: number): Promise<void> {
  await queryFreshRows(db)`
    with now as materialized (
      ${selectItems({ supplier, counting: { number, run } })}
    ), listed as materialized (
      select our_id, gtin, min(id) as id from now
      where missed_since is null and content_list is not null
        and (our_id, gtin) in (select our_id, gtin from now where missed_since is not null)
      group by our_id, gtin
    ), joined as materialized (
      select now.*, listed.id as stays from now join listed using (our_id, gtin) where missed_since is not null
    ), ${moveSaid(supplier)}, renamed as (
      update supplier_items set key = 'same:' || id where id = any(array(select id from joined))
    )
    insert into item_versions as versions (supplier, item, list, run, our_id, title, hashes, price, quantity, gtin,
      missed, same_as, key_before)
    select ${supplier}, id, ${number}, ${run}, our_id, title, hashes, price, quantity, gtin, true, stays, key
    from joined order by id
    on conflict (supplier, item, list, run) do update set same_as = excluded.same_as,
      key_before = excluded.key_before`;
}

/**
 * Restores the former keys of items that a list renamed, after that list was taken back. Removes items that uncounted
 * lists have inserted under these keys. The caller has locked first the carried values, then the supplier.
 */
export async function restoreItemKeys(db: Db, { supplier, number }: ListId): Promise<void> {
  const ofList = sql`supplier = ${supplier} and list = ${number} and key_before is not null`;
  await queryFreshRows(db)`
    with renamed as materialized (
      select item, key_before from item_versions where ${ofList}
    ), joined as materialized (
      select items.id, item as stays from (${selectItems({
        supplier,
        ids: sql`array(select id from supplier_items
          where supplier = ${supplier} and key = any(array(select key_before from renamed)))`,
      })}) items join renamed on key = key_before
      where items.id <> item and content_list is null
    ), ${moveSaid(supplier)}
    delete from supplier_items where id = any(array(select id from joined))`;
  await changeRows(db)`
    update supplier_items items set key = key_before from item_versions versions
    where items.id = item and versions.supplier = ${supplier} and list = ${number} and key_before is not null
      and not exists (select from supplier_items others where others.supplier = ${supplier} and others.key = key_before)`;
  await sql`delete from item_versions where ${ofList}`.execute(db);
}

/** Increments the versions of a supplier's newest imports, so that screens reload them. */
export async function bumpImportVersions(db: Db, supplier: number): Promise<void> {
  await sql`
    update imports set version = ${nextVersion} where id = any(array(
      select id from imports where id in (
        select import_id from supplier_lists where supplier = ${supplier} order by number desc limit ${listsRenewed}
      ) order by id for no key update))`.execute(db);
}

const listsRenewed = 100;
