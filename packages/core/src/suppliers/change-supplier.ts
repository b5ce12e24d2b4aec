import { areGuardsEqual } from '@draftshelf/domain/products/guards';
import type { SupplierAnswers } from '@draftshelf/domain/suppliers/gone';
import { leavingSentence } from '@draftshelf/domain/suppliers/leaving';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { changeRows, queryRows } from '../connection/query-rows.ts';
import type { Schema } from '../connection/schema.ts';
import { type ActionRefusal, refuse } from '../imports/action-result.ts';
import { nextVersion } from '../imports/imports.ts';
import { requestTask } from '../work/background-tasks.ts';
import { enqueueForAllInReview } from '../work/tasks.ts';
import { lockCarriedValues } from './carried-values.ts';
import { bumpImportVersions } from './count-rows.ts';
import { findBusyReason, findLeavingSupplier } from './leaving-suppliers.ts';
import { finishMerge, moveCarriedValues, movedPerPart, moveItems } from './merge-suppliers.ts';
import * as suppliers from './suppliers.ts';

const deleted = refuse('This supplier was deleted.');

/** Changes the operator's answers about a supplier's lists. Refuses if the stored answers differ from `from`. */
export const changeSupplierAnswers = (
  db: Kysely<Schema>,
  id: number,
  { set, from }: { set: Partial<SupplierAnswers>; from: Partial<SupplierAnswers> },
): Promise<{ ok: true; answers: SupplierAnswers } | ActionRefusal> =>
  changeSupplier(db, id, async (trx) => {
    await suppliers.lockGuards(trx, id);
    await suppliers.lockSupplier(trx, id);
    const now = await suppliers.readSupplierAnswers(trx, id);
    if (!now) return deleted;
    const leaving = await findLeavingSupplier(trx, [id]);
    if (leaving) return refuse(leavingSentence(leaving));
    const isStale = Object.entries(from).some(
      ([name, value]) => now[name as keyof SupplierAnswers] !== value,
    );
    if (isStale) return refuse('Somebody has changed this supplier since. Reload the page.');
    const answers = { ...now, ...set };
    await suppliers.setSupplierAnswers(trx, id, answers);
    if (!areGuardsEqual(now, answers)) await enqueueForAllInReview(trx, 'check-guards', [id]);
    return { ok: true, answers };
  });

/** Renames a supplier. Refuses if its name is not `from` or if another supplier has the new name, ignoring case. */
export const renameSupplier = (
  db: Kysely<Schema>,
  id: number,
  { name, from }: { name: string; from: string },
): Promise<{ ok: true } | ActionRefusal> =>
  changeSupplier(db, id, async (trx) => {
    await suppliers.lockNewSuppliers(trx);
    const supplier = await suppliers.lockSupplier(trx, id);
    if (!supplier) return deleted;
    if (supplier.name !== from) return refuse(`This supplier is called ${supplier.name} now.`);
    const known = await suppliers.findSupplier(trx, { name });
    if (known && known.id !== id) return refuse(`A supplier named ${known.name} already exists.`);
    await suppliers.confirmName(trx, id, name);
    return { ok: true };
  });

async function changeSupplier<T extends { ok: boolean }>(
  db: Kysely<Schema>,
  id: number,
  change: (trx: Db) => Promise<T>,
): Promise<T> {
  const changed = await db.transaction().execute(change);
  // Runs after the transaction has released its lock of the supplier: imports must be locked before their supplier.
  if (changed.ok) await bumpImportVersions(db, id);
  return changed;
}

/** Begins to merge a supplier into another one, or to delete it if `into` is null. Blocks work on the lists of both. */
export async function requestMergeOrDelete(
  db: Kysely<Schema>,
  id: number,
  into: number | null,
): Promise<{ ok: true } | ActionRefusal> {
  const both = into === null ? [id] : [id, into];
  if (into === id) return refuse('Choose another supplier.');
  return db.transaction().execute(async (trx) => {
    await lockImportsOf(trx, both);
    if ((await suppliers.lockSuppliers(trx, both)).length < both.length) return deleted;
    const busy = await findBusyReason(trx, both);
    if (busy !== undefined) return refuse(busy);
    await markSupplierLeaving(trx, id, into);
    await requestTask(trx, into === null ? 'delete-supplier' : 'merge-supplier', String(id));
    return { ok: true };
  });
}

/** Does the next part of a merge or deletion. `lock` locks the task, so that two workers never do the same part. */
export async function mergeOrDeletePart(
  db: Kysely<Schema>,
  id: number,
  lock: (trx: Db) => Promise<void>,
): Promise<'more' | 'done'> {
  const into = await db.transaction().execute(async (trx) => {
    // Locking the task first can't deadlock: others request this task only while no merge or deletion is running.
    await lock(trx);
    const leaving = await findLeavingSupplier(trx, [id]);
    if (leaving?.id !== id) return null;
    const target = leaving.into?.id ?? null;
    const ids = target === null ? [id] : [id, target];
    await lockCarriedValues(trx, ids);
    if (target === null ? await deleteNext(trx, id) : await moveNext(trx, id, target)) return 'more';
    await lockImportsOf(trx, [id]);
    await suppliers.lockSuppliers(trx, ids);
    const guards = [await suppliers.readGuards(trx, id), await suppliers.readGuards(trx, target)];
    if (guards.some((one) => one !== null)) await enqueueForAllInReview(trx, 'check-guards', ids);
    if (target === null) await deleteLeft(trx, id);
    else await finishMerge(trx, id, target);
    return target;
  });
  if (into === 'more') return into;
  // Runs after the transaction has released its lock of the supplier: imports must be locked before their supplier.
  if (into !== null) await bumpImportVersions(db, into);
  return 'done';
}

const moveNext = async (db: Db, from: number, into: number): Promise<boolean> =>
  (await moveItems(db, from, into)) || (await moveCarriedValues(db, from, into)) || moveKeys(db, from, into);

/** Locks the imports that are or may be lists of some suppliers, in the order of ids. */
async function lockImportsOf(db: Db, ids: readonly number[]): Promise<void> {
  await sql`
    select id from imports where supplier = any(${ids}::int[]) or asked_supplier = any(${ids}::int[])
    order by id for no key update`.execute(db);
}

/** Marks a supplier as being merged into `into`, or as being deleted if `into` is null. */
export async function markSupplierLeaving(db: Db, id: number, into: number | null): Promise<void> {
  await sql`
    update suppliers set leaves_since = clock_timestamp(), merging_into = ${into},
      merged = json_build_object('name', name, 'twice', 0, 'keys', json_build_array())
    where id = ${id}`.execute(db);
}

/** Moves a supplier's next product keys to `into`, or to no supplier if null. Returns false if no keys were left. */
async function moveKeys(db: Db, from: number, into: number | null): Promise<boolean> {
  const moved = await changeRows(db)`
    update product_keys keys set supplier = ${into} from (
      select shop, kind, value, our_id from product_keys where supplier = ${from} limit ${movedPerPart}
    ) part
    where keys.shop = part.shop and keys.kind = part.kind and keys.value = part.value
        and keys.our_id = part.our_id`;
  return moved > 0;
}

/** Deletes items, or else carried values, or else detaches product keys. Returns false if none of these were left. */
async function deleteNext(db: Db, supplier: number): Promise<boolean> {
  const items = await queryRows(db)`
    with gone as (
      delete from supplier_items where supplier = ${supplier} and key = any(array(
        select key from supplier_items where supplier = ${supplier} order by key limit ${movedPerPart}))
      returning id, our_id
    ), versions as (
      delete from item_versions where supplier = ${supplier} and item = any(array(select id from gone))
    ), keys as (
      update product_keys set supplier = null
      where supplier = ${supplier} and shop in (select shop from shops)
        and our_id = any(array(select our_id from gone))
    )
    select 1 from gone limit 1`;
  if (items.length > 0) return true;
  const deleted = await changeRows(db)`
    delete from carried_values where (supplier, subject, field, import_id) in (
      select supplier, subject, field, import_id from carried_values where supplier = ${supplier} limit ${movedPerPart})`;
  return deleted > 0 || moveKeys(db, supplier, null);
}

/** Deletes an empty, locked supplier. Resets its imports, so that later lists can find the imports' products. */
async function deleteLeft(db: Db, supplier: number): Promise<void> {
  await sql`
    update imports set version = ${nextVersion}, asked_supplier = null, asked_known = null, asked_sampled = null
    where asked_supplier = ${supplier}`.execute(db);
  await sql`
    update runs set finalize = null from imports
    where imports.supplier = ${supplier} and runs.import_id = imports.id and runs.stage = 'parse'
      and runs.run = rows_run`.execute(db);
  await sql`update runs set supplier = null, supplier_by = null where supplier = ${supplier}`.execute(db);
  await sql`
    update imports set version = ${nextVersion}, supplier = null, supplier_by = null, edits_kept_to = 0,
      proposals_kept_to = null
    where supplier = ${supplier}`.execute(db);
  await db.deleteFrom('suppliers').where('id', '=', supplier).execute();
}
