import { isSameGuards } from '@draftshelf/domain/products/guards';
import type { SupplierAnswers } from '@draftshelf/domain/suppliers/gone';
import { leavingSentence } from '@draftshelf/domain/suppliers/leaving';
import type { Kysely } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';
import { type ActionRefused, refused } from '../imports/action-result.ts';
import { enqueueTaskInReview } from '../work/tasks.ts';
import { renewLists } from './count-rows.ts';
import { findLeaving } from './leaving-suppliers.ts';
import * as suppliers from './suppliers.ts';

const deleted = refused('This supplier was deleted.');

/** Changes the operator's answers about a supplier's lists, unless an answer no longer equals `from`. */
export const answerSupplier = (
  db: Kysely<Schema>,
  id: number,
  { set, from }: { set: Partial<SupplierAnswers>; from: Partial<SupplierAnswers> },
): Promise<{ ok: true; answers: SupplierAnswers } | ActionRefused> =>
  changeSupplier(db, id, async (trx) => {
    await suppliers.lockGuards(trx, id);
    await suppliers.lockSupplier(trx, id);
    const now = await suppliers.readAnswers(trx, id);
    if (!now) return deleted;
    const leaving = await findLeaving(trx, [id]);
    if (leaving) return refused(leavingSentence(leaving));
    const isStale = Object.entries(from).some(
      ([name, value]) => now[name as keyof SupplierAnswers] !== value,
    );
    if (isStale) return refused('Somebody has changed this since. Look again.');
    const answers = { ...now, ...set };
    await suppliers.setAnswers(trx, id, answers);
    if (!isSameGuards(now, answers)) await enqueueTaskInReview(trx, 'check-guards', [id]);
    return { ok: true, answers };
  });

/** Renames a supplier, unless its name is no longer `from` or another supplier has the new one. Case is ignored. */
export const renameSupplier = (
  db: Kysely<Schema>,
  id: number,
  { name, from }: { name: string; from: string },
): Promise<{ ok: true } | ActionRefused> =>
  changeSupplier(db, id, async (trx) => {
    await suppliers.lockNewSuppliers(trx);
    const supplier = await suppliers.lockSupplier(trx, id);
    if (!supplier) return deleted;
    if (supplier.name !== from) return refused(`This supplier is called ${supplier.name} now.`);
    const known = await suppliers.findSupplier(trx, { name });
    if (known && known.id !== id) return refused(`There is a supplier ${known.name} already.`);
    await suppliers.nameByOperator(trx, id, name);
    return { ok: true };
  });

async function changeSupplier<T extends { ok: boolean }>(
  db: Kysely<Schema>,
  id: number,
  change: (trx: Db) => Promise<T>,
): Promise<T> {
  const changed = await db.transaction().execute(change);
  // Not while the supplier is locked: imports are locked before their supplier.
  if (changed.ok) await renewLists(db, id);
  return changed;
}
