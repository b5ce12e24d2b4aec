import {
  type BusyList,
  busyListSentence,
  type LeavingSupplier,
  leavingSentence,
} from '@draftshelf/domain/suppliers/leaving';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow } from '../connection/query-rows.ts';

/** SQL value: the target of a supplier's merge as JSON. Null if the supplier is not being merged. */
export const mergeTarget = sql`(
  select json_build_object('id', id, 'name', name) from suppliers target where target.id = suppliers.merging_into)`;

const findAmong = (db: Db, ids: RawBuilder<unknown>) =>
  findRow<LeavingSupplier>(db)`
    select id, name, ${mergeTarget} as "into" from suppliers
    where leaves_since is not null and (id = any(${ids}) or merging_into = any(${ids})) limit 1`;

/** Finds a supplier being merged or deleted that is one of `suppliers` or is being merged into one of them. */
export const findLeavingSupplier = (db: Db, suppliers: readonly number[]) =>
  findAmong(db, sql`${suppliers}::int[]`);

/** Finds a supplier being merged or deleted that is the import's supplier, or is merged into that supplier. */
export const findLeavingSupplierOf = (db: Db, importId: string) =>
  findAmong(db, sql`array(select supplier from imports where id = ${importId})`);

/** Returns why suppliers can be neither merged nor deleted now, as a sentence. Undefined if they can. */
export async function findBusyReason(db: Db, suppliers: readonly number[]): Promise<string | undefined> {
  const leaving = await findLeavingSupplier(db, suppliers);
  if (leaving) return leavingSentence(leaving);
  const busy = await findRow<BusyList>(db)`
    select filename, case when deletion_began_at is not null then 'deleted'
      when coalesce(paused_from, status) = 'processing' then 'read'
      when coalesce(paused_from, status) = 'uploading' then 'pushed'
      when task = 'count-list' then 'counted' else 'kept' end as work
    from imports left join lateral (
      select task from chunks where import_id = imports.id and kind = 'task' and task in ('count-list','keep-items')
        and chunks.state in ('pending','published','dead') limit 1
    ) tasks on true
    where supplier = any(${suppliers}::int[]) and (
      deletion_began_at is not null or coalesce(paused_from, status) in ('processing','uploading') or task is not null)
    order by created_at desc limit 1`;
  return busy && busyListSentence(busy);
}
