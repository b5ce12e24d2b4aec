import { busySentence, leavingSentence } from '@draftshelf/domain/suppliers/leaving';
import type { Kysely } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';
import type { ActionRefused } from '../imports/action-result.ts';
import { requestTask } from '../work/leased-tasks.ts';
import { enqueueTaskInReview } from '../work/tasks.ts';
import { lockCarriedValues } from './carried-values.ts';
import { renewLists } from './count-rows.ts';
import {
  beginLeaving,
  deleteLeft,
  deleteNext,
  findBusyList,
  findLeaving,
  lockImportsOf,
  moveKeys,
} from './leaving-suppliers.ts';
import { addTwice, moveItems, moveLeft, moveValues, readNumbering } from './merge-suppliers.ts';
import { lockSupplier, readGuards } from './suppliers.ts';

/** Begins to merge a supplier into another one, or to delete it (`into` null), which blocks work on their lists. */
export async function leave(
  db: Kysely<Schema>,
  id: number,
  into: number | null,
): Promise<{ ok: true } | ActionRefused> {
  const both = into === null ? [id] : [id, into].sort((a, b) => a - b);
  if (into === id) return refused('Choose another supplier.');
  return db.transaction().execute(async (trx) => {
    await lockImportsOf(trx, both);
    for (const one of both) if (!(await lockSupplier(trx, one))) return refused('This supplier was deleted.');
    const leaving = await findLeaving(trx, both);
    if (leaving) return refused(leavingSentence(leaving));
    const busy = await findBusyList(trx, both);
    if (busy) return refused(busySentence(busy));
    await beginLeaving(trx, id, into);
    await requestTask(trx, into === null ? 'delete-supplier' : 'merge-supplier', String(id));
    return { ok: true };
  });
}

const refused = (reason: string) => ({ ok: false, reason }) as const;

/** Does the next part of a merge or a deletion. `lock` locks the task, so that only its holder does it. */
export async function leavePart(
  db: Kysely<Schema>,
  id: number,
  lock: (trx: Db) => Promise<void>,
): Promise<'more' | 'done'> {
  const into = await db.transaction().execute(async (trx) => {
    // Before imports and suppliers: whoever locks these and then a task begins it, while the supplier does not leave.
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
  // Not while the supplier is locked: imports are locked before it.
  if (into !== null) await renewLists(db, into);
  return 'done';
}

async function moveNext(db: Db, from: number, into: number): Promise<boolean> {
  const numbering = await readNumbering(db, from, into);
  const moved = await moveItems(db, from, into, numbering);
  if (!moved) return (await moveValues(db, from, into)) || moveKeys(db, from, into);
  await addTwice(db, from, moved);
  return true;
}
