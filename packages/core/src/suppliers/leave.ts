import { busySentence, leavingSentence } from '@draftshelf/domain/suppliers/leaving';
import type { Kysely } from 'kysely';
import type { Schema } from '../connection/schema.ts';
import type { ActionRefused } from '../imports/action-result.ts';
import { requestTask } from '../work/leased-tasks.ts';
import { beginLeaving, findBusyList, findLeaving, lockImportsOf } from './leaving-suppliers.ts';
import { lockSupplier } from './suppliers.ts';

/**
 * Begins to merge a supplier into another one, or to delete it: `into` null. Until the task has ended nothing is done
 * with lists of both for which their items have to stay as they are.
 */
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
