import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { withoutNestedLoops } from '../connection/planner.ts';
import type { SupplierListRecord } from '../connection/schema.ts';
import type { RunOfRows } from '../work/runs.ts';
import { itemsAt } from './items-at.ts';
import { hasNoRow, mayHaveItem } from './row-items.ts';

/**
 * Gives products without items the id of the last list's product with their handle, if it lacks a row now: the supplier
 * has split it or joined variants under other numbers. The handle must be unique in both lists. Call findRowItems first.
 */
export async function findRegrouped(
  db: Db,
  of: RunOfRows,
  { supplier, import_id, counted_run }: SupplierListRecord,
  before: number | null,
): Promise<void> {
  const ofRun = sql`rows.import_id = ${of.import_id} and rows.run = ${of.run} and ${mayHaveItem}`;
  const ofLast = sql`rows.import_id = ${import_id} and rows.run = ${counted_run} and ${mayHaveItem}`;
  await withoutNestedLoops(db, () =>
    sql`
      with products as materialized (
        select product, min(rows.row) as row, lower(min(handle)) as handle,
          count(distinct lower(handle)) = 1 and count(item) + count(our_id) + count(own_id) = 0 as is_lone
        from rows left join row_items using (import_id, run, row) where ${ofRun} and handle <> '' group by product
      ), lone as materialized (
        select handle, min(row) as row from products group by handle having count(*) = 1 and bool_and(is_lone)
      ), earlier as materialized (
        select lower(handle) as handle, items.our_id, missed_since is null and ${hasNoRow(of)} as is_missing
        from rows join (${itemsAt({ supplier, before })}) items on items.key = rows.item_key
        where ${ofLast} and lower(handle) in (select handle from lone) and content_list is not null
      ), missing as materialized (
        select handle, min(our_id) as our_id from earlier
        group by handle having count(distinct our_id) = 1 and bool_and(is_missing)
      )
      insert into row_items (import_id, run, row, our_id, change)
      select ${of.import_id}, ${of.run}, row, our_id, 0 from lone join missing using (handle)
      where not exists (select from row_items taken
        where taken.import_id = ${of.import_id} and taken.run = ${of.run} and taken.our_id = missing.our_id)
      on conflict (import_id, run, row) do update set our_id = excluded.our_id`.execute(db),
  );
}
