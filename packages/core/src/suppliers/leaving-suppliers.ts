import type { BusyList, LeavingSupplier } from '@draftshelf/domain/suppliers/leaving';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { nextVersion } from '../imports/imports.ts';

/** SQL value: the target of a supplier's merge, as JSON; null if it is deleted. */
export const mergedInto = sql`(
  select json_build_object('id', id, 'name', name) from suppliers target where target.id = suppliers.merging_into)`;

const leaving = sql`
  select suppliers.id, suppliers.name, merging_into, ${mergedInto} as "into"
  from suppliers where leaves_since is not null`;

/** Locks the imports that are or may be lists of some suppliers, in the order of ids. */
export async function lockImportsOf(db: Db, suppliers: readonly number[]): Promise<void> {
  await sql`
    select id from imports where supplier = any(${suppliers}::int[]) or asked_supplier = any(${suppliers}::int[])
    order by id for no key update`.execute(db);
}

/** Finds a leaving supplier among these, or one merged into one of these. */
export async function findLeaving(
  db: Db,
  suppliers: readonly number[],
): Promise<LeavingSupplier | undefined> {
  const { rows } = await sql<LeavingSupplier>`
    select id, name, "into" from (${leaving}) leaving
    where id = any(${suppliers}::int[]) or merging_into = any(${suppliers}::int[]) limit 1`.execute(db);
  return rows[0];
}

/** Finds a leaving supplier whose list an import is, or that is merged into the import's supplier. */
export async function findLeavingOf(db: Db, importId: string): Promise<LeavingSupplier | undefined> {
  const { rows } = await sql<LeavingSupplier>`
    select leaving.id, name, "into" from (${leaving}) leaving
    join imports on imports.id = ${importId} and imports.supplier in (leaving.id, merging_into) limit 1`.execute(
    db,
  );
  return rows[0];
}

/** Finds a list of some suppliers that is being worked on. */
export async function findBusyList(db: Db, suppliers: readonly number[]): Promise<BusyList | undefined> {
  const { rows } = await sql<BusyList>`
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
    order by created_at desc limit 1`.execute(db);
  return rows[0];
}

/** Marks a supplier as being merged, or deleted if `into` is null. */
export async function beginLeaving(db: Db, id: number, into: number | null): Promise<void> {
  await sql`
    update suppliers set leaves_since = clock_timestamp(), merging_into = ${into},
      merged = json_build_object('name', name, 'twice', 0, 'keys', json_build_array())
    where id = ${id}`.execute(db);
}

/** Items, values or keys moved or deleted in one transaction. */
export const partMax = 5_000;

/** Moves the next keys of a supplier's products to another one, or to none. Returns whether there were any. */
export async function moveKeys(db: Db, from: number, into: number | null): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update product_keys keys set supplier = ${into} from (
      select shop, kind, value, our_id from product_keys where supplier = ${from} limit ${partMax}
    ) part
    where keys.shop = part.shop and keys.kind = part.kind and keys.value = part.value
      and keys.our_id = part.our_id`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Deletes the next items of a supplier, else its values, else frees its keys. Returns whether there were any. */
export async function deleteNext(db: Db, supplier: number): Promise<boolean> {
  const { rows: items } = await sql`
    with gone as (
      delete from supplier_items where supplier = ${supplier} and key = any(array(
        select key from supplier_items where supplier = ${supplier} order by key limit ${partMax}))
      returning id, our_id
    ), versions as (
      delete from item_versions where supplier = ${supplier} and item = any(array(select id from gone))
    ), keys as (
      update product_keys set supplier = null
      where supplier = ${supplier} and shop in (select shop from shops)
        and our_id = any(array(select our_id from gone))
    )
    select 1 from gone limit 1`.execute(db);
  if (items.length > 0) return true;
  const { numAffectedRows } = await sql`
    delete from carried_values where (supplier, subject, field) in (
      select supplier, subject, field from carried_values where supplier = ${supplier} limit ${partMax})`.execute(
    db,
  );
  return (numAffectedRows ?? 0n) > 0n || moveKeys(db, supplier, null);
}

/** Deletes a supplier without items. A later list finds the products by the columns of its lists. They are locked. */
export async function deleteLeft(db: Db, supplier: number): Promise<void> {
  await sql`
    update imports set version = ${nextVersion}, asked_supplier = null, asked_known = null, asked_sampled = null
    where asked_supplier = ${supplier}`.execute(db);
  await sql`
    update runs set finalize = null from imports
    where imports.supplier = ${supplier} and runs.import_id = imports.id and runs.stage = 'parse' and runs.run = rows_run`.execute(
    db,
  );
  await sql`update runs set supplier = null, supplier_by = null where supplier = ${supplier}`.execute(db);
  await sql`
    update imports set version = ${nextVersion}, supplier = null, supplier_by = null, edits_kept_to = 0,
      proposals_kept_to = null
    where supplier = ${supplier}`.execute(db);
  await db.deleteFrom('suppliers').where('id', '=', supplier).execute();
}
