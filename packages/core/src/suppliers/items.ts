import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryFreshRows } from '../connection/planner.ts';
import { queryRow, queryRows } from '../connection/query-rows.ts';
import type { ChunkRecord, ImportRecord, Schema } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { findImport } from '../imports/imports.ts';
import { deriveOurIdInSql, ownOrItemId } from '../imports/our-id.ts';
import { lockHeldChunk, markDone } from '../work/claim-chunk.ts';
import { currentRows, type RunOfRows, readParseRun } from '../work/runs.ts';
import { enqueueTask, storeTaskProgress, type TaskProgress } from '../work/tasks.ts';
import { findListOfImport, type ListId, wakeNextList } from './lists.ts';
import { isKeyDoubled, itemOfRow, joinFoundItems, mayHaveItem } from './row-items.ts';
import { lockSupplier } from './suppliers.ts';

/** Rows after `at`, up to and including `last`. */
export type RowRange = { at: number; last: number };

const titleCharsMax = 80;

/**
 * SQL table `part`: all rows of the products that begin in a range of an import's current rows. Includes rows outside
 * of the range that were joined to these products. If `may_have_item` is false, a row has no item.
 */
export async function selectPartRows(db: Db, record: ImportRecord, { at, last }: RowRange) {
  const { import_id, run } = currentRows(record);
  const ofRun = sql`import_id = ${import_id} and run = ${run} and ignored is null`;
  const columns = sql`import_id, run, row, product, byte_from, own_id, item_key, item_hashes, item_price, item_quantity,
    item_gtin, left(title, ${sql.lit(titleCharsMax)}) as title, ${mayHaveItem} as may_have_item`;
  const lastProduct = (row: number) => sql`coalesce((
    select product from rows where ${ofRun} and not joined and row <= ${row} order by row desc limit 1), 0)`;
  const { begun, upto } = await queryRow<{ begun: number; upto: number }>(db)`
    select ${lastProduct(at)} as begun, ${lastProduct(last)} as upto`;
  return sql`
    part as materialized (
      select ${columns} from rows
      where ${ofRun} and not joined and row > ${at} and row < coalesce((
        select row from rows
        where ${ofRun} and not joined and row > ${last} and product > ${upto} order by row limit 1
      ), 2147483647) and product > ${begun}
      union all
      select ${columns} from rows
      where ${ofRun} and joined and product > ${begun} and product <= ${upto}
    )`;
}

/** SQL table: our ids of the products of `part` that meet the condition `wanted`. */
export const productIds = (record: ImportRecord, wanted = sql`true`) => sql`(
  select product, coalesce((
    select our_id from outcomes
    where outcomes.import_id = ${record.id} and rows_run = ${record.rows_run} and outcomes.product = first_ids.product
  ), our_id) as our_id from (
    select product, ${deriveOurIdInSql(record)} as our_id from (
      select product, byte_from, ${ownOrItemId} as own_id from (
        select distinct on (product) * from part where ${wanted} order by product, row
      ) rows
    ) first_rows
  ) first_ids
) ids`;

/**
 * Inserts items for rows' new keys, with our ids and the list's content. Until the list counts, also updates items
 * that the list inserted before. If `isSaid` is false, the content never counts. The caller has locked the supplier.
 */
export async function insertItems(
  db: Db,
  record: ImportRecord,
  { supplier, number }: ListId,
  rows: RowRange,
  isSaid = true,
): Promise<void> {
  const run = isSaid ? sql`case when not ${isKeyDoubled} then part.run end` : sql`null::int`;
  const part = await selectPartRows(db, record, rows);
  await queryFreshRows(db)`
    with ${part}, new_rows as materialized (
      select part.*, coalesce(key, item_key) as key, ${run} as first_run from part ${joinFoundItems('part')}
      left join lateral (select key, first_list from supplier_items where id = item offset 0) items on true
      where may_have_item and coalesce(first_list, ${number}) = ${number}
    ), keyed as (
      select new_rows.*, our_id
      from new_rows join ${productIds(record, sql`product in (select product from new_rows)`)} using (product)
    )
    insert into supplier_items (supplier, key, our_id, title, hashes, price, quantity, gtin, first_list, first_run)
    select distinct on (key) ${supplier}, key, our_id, title, item_hashes, item_price, item_quantity, item_gtin,
      ${number}, first_run
    from keyed where key is not null order by key, row
    on conflict (supplier, key) do update set our_id = excluded.our_id, title = excluded.title,
      hashes = excluded.hashes, price = excluded.price, quantity = excluded.quantity, gtin = excluded.gtin,
      first_run = coalesce(excluded.first_run, supplier_items.first_run)
    where supplier_items.first_list = excluded.first_list
      and (supplier_items.our_id <> excluded.our_id or supplier_items.first_run is distinct from excluded.first_run)
      and not exists (select from supplier_lists
        where supplier = ${supplier} and number = ${number} and state = 'counted')`;
}

/**
 * Returns items by key, for rows that matched no item and have unique keys. If later lists have renamed the item that
 * had the key, returns that item; otherwise, inserts an item. Locks the supplier.
 */
export async function findOrInsertItems(
  db: Db,
  record: ImportRecord,
  rows: readonly { row: number; key: string }[],
): Promise<Map<string, number>> {
  const list = rows.length === 0 ? undefined : await findListOfImport(db, record.id);
  if (!list || !(await lockSupplier(db, list.supplier))) return new Map();
  const { supplier, number } = list;
  const keys = rows.map(({ key }) => key);
  const renumbered = await queryRows<{ key: string; id: number }>(db)`
    select distinct on (key_before) key_before as key, id from item_versions versions
    join supplier_items on id = coalesce(same_as, item)
    where versions.supplier = ${supplier} and list > ${number} and key_before = any(${keys}::text[])
    order by key_before, list`;
  const known = new Set(renumbered.map(({ key }) => key));
  for (const { row, key } of rows) {
    if (!known.has(key)) await insertItems(db, record, list, { at: row - 1, last: row }, false);
  }
  const named = await queryRows<{ key: string; id: number }>(db)`
    select key, id from supplier_items where supplier = ${supplier}
      and key = any(${keys}::text[])`;
  return new Map([...named, ...renumbered].map(({ key, id }) => [key, id]));
}

/** Gives the items of some products the ids of another list's products, which the operator chose for them. */
export async function setItemIds(
  db: Db,
  { import_id, run }: RunOfRows,
  products: readonly { product: number; ourId: string }[],
): Promise<void> {
  if (products.length === 0) return;
  await sql`
    with taken as (
      select items.id, items.supplier, "ourId"
      from json_to_recordset(${storableJson(products)}::json) as given (product int, "ourId" text)
      join rows on rows.import_id = ${import_id} and rows.run = ${run} and rows.product = given.product
      left join row_items found on found.import_id = rows.import_id and found.run = rows.run and found.row = rows.row
      join imports on imports.id = rows.import_id
      join supplier_items items on items.id = ${itemOfRow(sql`imports.supplier`, sql`found.item`)}
      order by items.id for no key update of items
    ), versions as (
      update item_versions versions set our_id = "ourId" from taken
      where item = taken.id and versions.supplier = taken.supplier
    )
    update supplier_items items set our_id = "ourId" from taken where items.id = taken.id`.execute(db);
}

const rowsPerPart = 20_000;

/** Enqueues 'keep-items' for a supplier's list, except for lists of prices and stock, which add no products. */
export async function enqueueKeepItems(db: Db, importId: string): Promise<void> {
  const record = await findImport(db, importId);
  if (!record || record.supplier === null || record.test_mode) return;
  if ((await readParseRun(db, currentRows(record))).isPartial) return;
  await enqueueTask(db, currentRows(record), 'keep-items', record.total_rows);
}

/** The task 'keep-items': inserts items for a list's new keys. Like re-reads, locks the supplier before the task. */
export async function keepItems(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  return db.transaction().execute(async (trx) => {
    const list = await findListOfImport(trx, chunk.import_id);
    const supplier = list && (await lockSupplier(trx, list.supplier));
    const { done } = await lockHeldChunk(trx, chunk);
    const record = await findImport(trx, chunk.import_id);
    if (!record || !supplier || done >= record.total_rows) {
      await markDone(trx, chunk);
      // Without this wake-up, lists uploaded together would wait for each other for up to half a minute each.
      if (supplier) await wakeNextList(trx, supplier.id);
      return 'done';
    }
    await insertItems(trx, record, list, { at: done, last: done + rowsPerPart });
    await storeTaskProgress(trx, chunk, Math.min(record.total_rows, done + rowsPerPart));
    return 'more';
  });
}
