import type { Db } from '@draftshelf/database/connection/database';
import type { ImportRecord } from '@draftshelf/database/connection/schema';
import { changeImport } from '@draftshelf/database/imports/imports';
import { findPlan } from '@draftshelf/database/push/previews/plans';
import { type ChoiceOfLines, chooseForLines } from '@draftshelf/database/push/previews/push-choices';

/** `more`: at most 10,000 products are decided at a time. */
type Chosen = { decided: number; more: boolean } | { reason: string };

/**
 * Stores a choice about a product of an import's plan, or about all that wait for it; null takes choices back. It holds
 * for the next pushes, until its product has changed. Call it outside of a transaction.
 */
export async function choose(db: Db, record: ImportRecord, of: ChoiceOfLines): Promise<Chosen> {
  const chosen = await db.transaction().execute((trx) => chooseIn(trx, record, of));
  // What the import says before its push counts the choices. Not in their transaction, which takes 0.2 s for 10,000: a
  // push that carries out choices locks them before the import.
  if ('decided' in chosen) await changeImport(db, record.id, {});
  return chosen;
}

async function chooseIn(trx: Db, record: ImportRecord, of: ChoiceOfLines): Promise<Chosen> {
  const plan = await findPlan(trx, record.id);
  if (!plan?.ended_at || plan.shop === null) {
    return { reason: 'The push of this import has not been planned. Plan the push, then decide.' };
  }
  if (plan.rows_run !== record.rows_run) {
    return {
      reason: 'The file was read again after the push was planned. Plan the push again, then decide.',
    };
  }
  return chooseForLines(trx, { id: plan.id, import_id: plan.import_id, shop: plan.shop }, of);
}
