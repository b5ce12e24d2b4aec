import { canDo } from '@draftshelf/domain/imports/import-status';
import type { PlanSettings } from '@draftshelf/domain/push/push-plan';
import { readPreferences } from '../../access/preferences.ts';
import { readSettings } from '../../access/settings.ts';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { type ActionRefused, type ActionResult, refusedIn } from '../../imports/action-result.ts';
import { changeImport, lockImport } from '../../imports/imports.ts';
import { lastEdit } from '../../review/commands/stored-edits.ts';
import { rememberStockChoice, type StockChoice } from '../../suppliers/supplier-pushes.ts';
import { blockedBy } from '../../work/blocking.ts';
import { beginPreview } from '../previews/begin-preview.ts';
import { findPreview } from '../previews/previews.ts';
import { type ChoiceOfLines, chooseForLines } from '../previews/push-choices.ts';

/** Begins a plan of an import's push and replaces the earlier one, even in progress. In its own transaction. */
export async function beginPlan(db: Db, id: string): Promise<ActionResult> {
  const record = await lockImport(db, id);
  if (!record || !canDo('plan', record.status)) return refusedIn(record);
  if (record.status === 'failed' && record.failed_in !== 'push') return refusedIn(record);
  const reason = await blockedBy(db, record, 'plan');
  if (reason !== undefined) return { ok: false, reason };
  const made_from = storableJson(await readPlanSettings(db));
  const plan = {
    kind: 'push',
    rows_run: record.rows_run,
    made_from,
    last_edit: await lastEdit(db, id),
  } as const;
  return beginPreview(db, record, plan, record.product_numbers);
}

export async function readPlanSettings(db: Db): Promise<PlanSettings> {
  const { draftMode } = await readSettings(db);
  const { whenInStore, sendNonOverlapping } = await readPreferences(db);
  return { draftMode, whenInStore, sendNonOverlapping };
}

/** `more`: at most 10,000 products are decided at a time. */
type Chosen = { ok: true; decided: number; more: boolean } | ActionRefused;

/**
 * Stores a choice about one product of a plan or all that wait for it; null takes choices back. It holds until the
 * product changes; about the quantities of all products, for the supplier's next lists. Call it outside a transaction.
 */
export async function choose(db: Db, record: ImportRecord, of: ChoiceOfLines): Promise<Chosen> {
  const chosen = await db.transaction().execute((trx) => chooseIn(trx, record, of));
  // In its own transaction, because storing 10,000 choices takes 0.2 s and a push locks choices before the import.
  if (chosen.ok) await changeImport(db, record.id, {});
  return chosen;
}

async function chooseIn(trx: Db, record: ImportRecord, of: ChoiceOfLines): Promise<Chosen> {
  const plan = await findPreview(trx, record.id, 'push');
  if (!plan?.previewed_at || plan.shop === null) {
    return { ok: false, reason: 'The push of this import has not been planned. Plan the push, then decide.' };
  }
  if (plan.rows_run !== record.rows_run) {
    return {
      ok: false,
      reason: 'The file was read again after the push was planned. Plan the push again, then decide.',
    };
  }
  const { id, import_id, shop } = plan;
  const chosen = await chooseForLines(trx, { id, import_id, shop }, of);
  if (of.about === 'not-sent' && of.product === undefined && record.supplier !== null) {
    await rememberStockChoice(trx, record.supplier, of.choice as StockChoice | null);
  }
  return { ok: true, ...chosen };
}
