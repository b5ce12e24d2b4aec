import { isPartialList } from '@draftshelf/domain/suppliers/is-partial-list';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryFreshRows } from '../connection/planner.ts';
import { queryValues } from '../connection/query-rows.ts';
import { changeParseRun } from '../imports/imports.ts';
import { type RunOfRows, readParseRun } from '../work/runs.ts';
import { selectItems } from './items-at.ts';
import type { PreparedBatch, StepState } from './prepared-batch.ts';
import { findRowItems, isUnsure, itemOfRow, joinFoundItems, removeRowItems } from './row-items.ts';

/**
 * Sets a group key on rows whose items belong to one product, so that the run joins these rows. Skips rows that share
 * a key but differ, because it is uncertain which of these rows belongs to the item.
 */
export async function groupRowsOfItems(db: Db, of: RunOfRows, supplier: number) {
  const { import_id, run } = of;
  await removeRowItems(db, of);
  await findRowItems(db, of, { supplier, before: null, groups: null });
  const items = selectItems({ supplier, ids: sql`array(select item from found)` });
  await queryFreshRows(db)`
    with found as materialized (
      select row, item from row_items
      where import_id = ${import_id} and run = ${run} and item is not null and not ${isUnsure}
    ), grouped as (
      select row, our_id, min(product) over ours as first_product, max(product) over ours as last_product
      from found join (${items}) items on id = item join (
        select row, product from rows where import_id = ${import_id} and run = ${run}
      ) of_run using (row)
      window ours as (partition by our_id)
    )
    update rows set group_key = 'item:' || grouped.our_id from grouped
    where rows.import_id = ${import_id} and rows.run = ${run} and rows.row = grouped.row
      and first_product <> last_product`;
}

/** Returns the rows that have no item of the supplier, or an uncertain item. */
export async function findUnknownRows(
  db: Db,
  { import_id, run }: RunOfRows,
  supplier: number,
  numbers: readonly number[],
): Promise<Set<number>> {
  const rows = await queryValues<number>(db)`
    select rows.row from rows ${joinFoundItems('rows')}
    left join supplier_items on id = ${itemOfRow(supplier, sql`item`)}
    where rows.import_id = ${import_id} and rows.run = ${run} and rows.row = any(${numbers}::int[])
      and (id is null or ${isUnsure})`;
  return new Set(rows);
}

/** Marks a list of prices and stock as partial if its supplier is known, and groups rows by their items' products. */
export async function groupItems({ db, of, progress }: PreparedBatch): Promise<StepState> {
  const { id: supplier } = progress.supplier;
  if (supplier === null || !isPartialList((await readParseRun(db, of)).mapping)) return {};
  await groupRowsOfItems(db, of, supplier);
  await changeParseRun(db, of, { is_partial: true });
  return { endsBatch: true };
}
