import type { Kysely } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';
import { enqueueTaskInReview } from '../work/tasks.ts';
import { lockCarriedValues } from './carried-values.ts';
import { renewLists } from './count-rows.ts';
import { deleteLeft, deleteNext, findLeaving, lockImportsOf, moveKeys } from './leaving-suppliers.ts';
import { addTwice, moveItems, moveLeft, moveValues, readNumbering } from './merge-suppliers.ts';
import { lockSupplier, readGuards } from './suppliers.ts';

/** Does the next part of a merge or a deletion. `lock`: locks the task, so that only its holder does it. */
export async function leavePart(
  db: Kysely<Schema>,
  id: number,
  lock: (trx: Db) => Promise<void>,
): Promise<'more' | 'done'> {
  const into = await db.transaction().execute(async (trx) => {
    // Before imports and suppliers: who locks these and then a task begins it, while the supplier does not leave.
    await lock(trx);
    const leaving = await findLeaving(trx, [id]);
    if (leaving?.id !== id) return null;
    const target = leaving.into?.id ?? null;
    const ids = target === null ? [id] : [id, target];
    await lockCarriedValues(trx, ids);
    if (target === null ? await deleteNext(trx, id) : await moveNext(trx, id, target)) return 'more';
    await lockImportsOf(trx, [id]);
    for (const one of ids.sort((a, b) => a - b)) await lockSupplier(trx, one);
    const guards = [await readGuards(trx, id), await readGuards(trx, target)];
    if (guards.some((one) => one !== null)) await enqueueTaskInReview(trx, 'check-guards', ids);
    if (target === null) await deleteLeft(trx, id);
    else await moveLeft(trx, id, target, await readNumbering(trx, id, target));
    return target;
  });
  if (into === 'more') return into;
  // Not with the supplier locked: imports are locked before it.
  if (into !== null) await renewLists(db, into);
  return 'done';
}

/** Moves the next part of a supplier's items, then of its values and of keys. Returns whether there was one. */
async function moveNext(db: Db, from: number, into: number): Promise<boolean> {
  const numbering = await readNumbering(db, from, into);
  const moved = await moveItems(db, from, into, numbering);
  if (!moved) return (await moveValues(db, from, into, numbering)) || moveKeys(db, from, into);
  await addTwice(db, from, moved);
  return true;
}
