import { goneSumsOf } from '@draftshelf/domain/suppliers/gone';
import type { Kysely } from 'kysely';
import type { Schema } from '../../connection/schema.ts';
import { listForAutoGone } from '../../suppliers/gone.ts';
import { findPreview } from '../previews/previews.ts';
import { planGone, pushGone } from './plan-gone.ts';

/**
 * Does with products that are gone what their suppliers' standing answers say, once for each list that full auto has
 * pushed: plans it, and carries the plan out when it is made. A list about which a person has planned something is left
 * to that person, and so is one that nothing is gone by because something speaks against it.
 */
export async function autoGoneDue(db: Kysely<Schema>): Promise<void> {
  for (const { id, action } of await listForAutoGone(db)) {
    await db.transaction().execute(async (trx) => {
      const plan = await findPreview(trx, id, 'gone');
      // Planned before the answer was changed.
      const isOther = plan?.gone.automatic && plan.run === null && plan.gone.action !== action;
      if (!plan || isOther) return planGone(trx, id, { action, keys: null, automatic: true });
      const changes = goneSumsOf(plan.sums).some(({ end }) => end === plan.gone.action);
      if (plan.gone.automatic && changes && plan.previewed_at !== null && plan.run === null)
        return pushGone(trx, id, plan.id);
    });
  }
}
