import { isPartialList } from '@draftshelf/domain/suppliers/is-partial-list';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryFresh } from '../connection/planner.ts';
import { queryValues } from '../connection/query-rows.ts';
import { changeParseRun } from '../imports/imports.ts';
import { type RunOfRows, readParseRun } from '../work/runs.ts';
import { itemsAt, readAliases } from './items-at.ts';
import type { PreparedBatch, StepPart } from './prepared-batch.ts';
import { isUnsure, itemOf, joinFound, mayHaveItem } from './row-items.ts';

/**
 * Sets a group key on rows whose items are of one product, so that the run joins them. A row's item is found by key,
 * also a former one, else by a unique GTIN. Rows that share a key and differ are left out: neither is certain to be the
 * item.
 */
export async function groupRowsOfItems(db: Db, { import_id, run }: RunOfRows, supplier: number) {
  const aliases = await readAliases(db, { supplier, before: null });
  await queryFresh(db)`
    with keyed as (
      select row, product, item_key, item_gtin, min(encode(item_hashes, 'hex')) over key as first_hash,
        max(encode(item_hashes, 'hex')) over key as last_hash
      from rows where import_id = ${import_id} and run = ${run} and item_key is not null and ${mayHaveItem}
      window key as (partition by item_key)
    ), items as materialized (
      ${itemsAt({ supplier })}
    ), keys as (
      select key, key as row_key, our_id from items
      union all
      select key, cleaned, our_id from (${aliases}) aliases join items using (key)
      where not exists (select from items where key = cleaned)
    ), known as (
      select row, product, coalesce(keys.our_id, of_gtin.our_id) as our_id from keyed
      left join keys on keys.row_key = item_key
      left join (
        select gtin, min(our_id) as our_id from items where gtin is not null group by gtin having count(*) = 1
      ) of_gtin on of_gtin.gtin = item_gtin and keys.key is null
      where first_hash is not distinct from last_hash
    ), grouped as (
      select row, our_id, min(product) over ours as first_product, max(product) over ours as last_product
      from known where our_id is not null
      window ours as (partition by our_id)
    )
    update rows set group_key = 'item:' || grouped.our_id from grouped
    where rows.import_id = ${import_id} and rows.run = ${run} and rows.row = grouped.row
      and first_product <> last_product`;
}

/** Finds rows that are no item of their supplier, or uncertain to be one. */
export async function findUnknownRows(
  db: Db,
  { import_id, run }: RunOfRows,
  supplier: number,
  numbers: readonly number[],
): Promise<Set<number>> {
  const rows = await queryValues<number>(db)`
    select rows.row from rows ${joinFound('rows')}
    left join supplier_items on id = ${itemOf(supplier, sql`item`)}
    where rows.import_id = ${import_id} and rows.run = ${run} and rows.row = any(${numbers}::int[])
      and (id is null or ${isUnsure})`;
  return new Set(rows);
}

/** Marks the run of a known supplier's list of prices and stock, and joins its rows whose items are of one product. */
export async function groupItems({ db, of, progress }: PreparedBatch): Promise<StepPart> {
  const { id: supplier } = progress.supplier;
  if (supplier === null || !isPartialList((await readParseRun(db, of)).mapping)) return {};
  await groupRowsOfItems(db, of, supplier);
  await changeParseRun(db, of, { is_partial: true });
  return { endsBatch: true };
}
