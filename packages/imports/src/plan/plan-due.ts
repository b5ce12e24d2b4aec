import type { Db } from '@draftshelf/database/connection/database';
import { listWithoutPlan, lockWithoutPlan } from '@draftshelf/database/push/plans';
import type { Schema } from '@draftshelf/database/schema';
import type { Kysely } from 'kysely';
import { blockedBy } from '../commands/blocking.ts';
import { enqueuePlan } from './begin-plan.ts';
import { estimatePlan } from './estimate-plan.ts';

/** More than this is taken from the store's budget only if the operator asks for it. */
export const automaticPointsMax = 50;

/**
 * Begins plans of imports that are ready and have none, if the connected store has answered before and they take few
 * points. `readUrl`: the address of the store; null: none is connected.
 */
export async function planDue(db: Kysely<Schema>, readUrl: () => Promise<string | null>): Promise<void> {
  const due = await listWithoutPlan(db);
  if (due.length === 0) return;
  const url = await readUrl();
  if (url === null) return;
  for (const record of due) {
    const estimate = await estimatePlan(db, record, url);
    if (!estimate || estimate.points > automaticPointsMax) continue;
    await db.transaction().execute((trx) => planOne(trx, record.id));
  }
}

async function planOne(db: Db, id: string): Promise<void> {
  const record = await lockWithoutPlan(db, id);
  if (!record || (await blockedBy(db, id, 'plan')) !== undefined) return;
  await enqueuePlan(db, record);
}
