import { isSameGuards } from '@draftshelf/domain/products/guards';
import type { SupplierAnswers } from '@draftshelf/domain/suppliers/gone';
import { leavingSentence } from '@draftshelf/domain/suppliers/leaving';
import type { Kysely } from 'kysely';
import type { Schema } from '../connection/schema.ts';
import { type ActionRefused, refused } from '../imports/action-result.ts';
import { enqueueTaskInReview } from '../work/tasks.ts';
import { renewLists } from './count-rows.ts';
import { findLeaving } from './leaving-suppliers.ts';
import * as suppliers from './suppliers.ts';
import { lockGuards, lockSupplier, readAnswers, setAnswers } from './suppliers.ts';

/** Changes the operator's answers about a supplier's lists, unless an answer no longer equals `from`. */
export async function answerSupplier(
  db: Kysely<Schema>,
  id: number,
  { set, from }: { set: Partial<SupplierAnswers>; from: Partial<SupplierAnswers> },
): Promise<{ ok: true; answers: SupplierAnswers } | ActionRefused> {
  const answers = await db.transaction().execute(async (trx) => {
    await lockGuards(trx, id);
    await lockSupplier(trx, id);
    const now = await readAnswers(trx, id);
    if (!now) return 'This supplier was deleted.';
    const leaving = await findLeaving(trx, [id]);
    if (leaving) return leavingSentence(leaving);
    const isStale = Object.entries(from).some(
      ([name, value]) => now[name as keyof SupplierAnswers] !== value,
    );
    if (isStale) return 'Somebody has changed this since. Look again.';
    const next = { ...now, ...set };
    await setAnswers(trx, id, next);
    if (!isSameGuards(now, next)) await enqueueTaskInReview(trx, 'check-guards', [id]);
    return next;
  });
  if (typeof answers === 'string') return refused(answers);
  // Not while the supplier is locked: imports are locked before their supplier.
  await renewLists(db, id);
  return { ok: true, answers };
}

/** Renames a supplier, unless its name is no longer `from` or another supplier has the new one. Case is ignored. */
export async function renameSupplier(
  db: Kysely<Schema>,
  id: number,
  { name, from }: { name: string; from: string },
): Promise<{ ok: true } | ActionRefused> {
  const refusal = await db.transaction().execute(async (trx) => {
    await suppliers.lockNewSuppliers(trx);
    const supplier = await suppliers.lockSupplier(trx, id);
    if (!supplier) return 'This supplier was deleted.';
    if (supplier.name !== from) return `This supplier is called ${supplier.name} now.`;
    const known = await suppliers.findSupplier(trx, { name });
    if (known && known.id !== id) return `There is a supplier ${known.name} already.`;
    await suppliers.setSupplierName(trx, id, name);
    return null;
  });
  if (refusal !== null) return refused(refusal);
  // Not while the supplier is locked: imports are locked before their supplier.
  await renewLists(db, id);
  return { ok: true };
}
