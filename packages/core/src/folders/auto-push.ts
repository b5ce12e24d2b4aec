import { decideAutoPush, heldSentences } from '@draftshelf/domain/push/auto-push';
import type { Kysely } from 'kysely';
import { readPreferences } from '../access/preferences.ts';
import { type Db, isBusy, isDatabaseUnavailable } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';
import { type ActionRefused, type ActionResult, wrongStatus } from '../imports/action-result.ts';
import { findImport, lockImport } from '../imports/imports.ts';
import { recordEvent } from '../imports/record-event.ts';
import { holdAutoPush, listForAutoPush, lockForAutoPush, planAutoPush } from '../push/auto-push.ts';
import { readAutoPushFacts, type StoreNow } from '../push/auto-push-facts.ts';
import { pushAutomatically } from '../work/import-actions.ts';

/**
 * Decides about imports that arrived under full-auto, and pushes those whose time has come. Each import has a
 * transaction of its own, which locks it: of several processes one pushes it, and a Stop comes before or after.
 * Throws the last error once it has gone through all of them.
 */
export async function autoPushDue(db: Kysely<Schema>, readStore: () => Promise<StoreNow>): Promise<void> {
  const ids = await listForAutoPush(db);
  if (ids.length === 0) return;
  const store = await readStore();
  let failure: unknown;
  for (const id of ids) {
    try {
      await db.transaction().execute((trx) => decideOne(trx, id, store));
    } catch (error) {
      failure = error;
      if (isBusy(error) || isDatabaseUnavailable(error)) continue;
      // What cannot be checked would be tried again for ever. A person sees it.
      await db.transaction().execute((trx) => hold(trx, id, heldSentences.unreadable));
    }
  }
  if (failure !== undefined) throw failure;
}

/** Gates that were passed once are passed again before the push: store, prices and layout may have changed since. */
async function decideOne(db: Db, id: string, store: StoreNow): Promise<void> {
  const record = await lockForAutoPush(db, id);
  if (!record) return;
  const decision = decideAutoPush(await readAutoPushFacts(db, record, store));
  if (decision.is === 'held') return hold(db, id, decision.sentence);
  if (decision.is === 'wait') return;
  if (record.auto_push_at !== null) {
    await pushAutomatically(db, id);
  } else {
    const { autoPushDelayMinutes } = await readPreferences(db);
    await planAutoPush(db, id, autoPushDelayMinutes);
  }
}

async function hold(db: Db, id: string, sentence: string): Promise<void> {
  await holdAutoPush(db, id, sentence);
  const record = await findImport(db, id);
  if (record) await recordEvent(db, 'held', record);
}

/** Begins the planned push of an import at once. It is the same push: of drafts. */
export async function pushNow(db: Db, id: string): Promise<ActionResult> {
  const refused = await lockPlanned(db, id);
  return refused ?? pushAutomatically(db, id);
}

/** Stops the planned push of an import. A person pushes it, or nobody does. */
export async function stopAutoPush(db: Db, id: string): Promise<ActionResult> {
  const refused = await lockPlanned(db, id);
  if (refused) return refused;
  await holdAutoPush(db, id, heldSentences.stopped);
  const record = await findImport(db, id);
  return record ? { ok: true, import: record } : wrongStatus;
}

/** Locks an import whose push is planned; else returns why there is nothing to do. */
async function lockPlanned(db: Db, id: string): Promise<ActionRefused | undefined> {
  const record = await lockImport(db, id);
  if (record && record.auto_push_at !== null) return undefined;
  const hasBegun = record?.status === 'uploading' || record?.paused_from === 'uploading';
  return {
    ok: false,
    reason: hasBegun
      ? 'The push has already begun. Pause it instead.'
      : 'No push is planned for this import.',
  };
}
