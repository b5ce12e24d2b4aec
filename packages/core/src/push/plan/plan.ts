import { canDo } from '@draftshelf/domain/imports/import-status';
import {
  findDeviation,
  isSamePlanSettings,
  type PlanComparison,
  type PlanSettings,
} from '@draftshelf/domain/push/push-plan';
import { readPreferences } from '../../access/preferences.ts';
import { readSettings } from '../../access/settings.ts';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { type ActionRefusal, type ActionResult, refuseInStatus } from '../../imports/action-result.ts';
import { changeImport, lockImport } from '../../imports/imports.ts';
import { readLastEditId } from '../../review/commands/stored-edits.ts';
import { rememberStockChoice, type StockChoice } from '../../suppliers/supplier-pushes.ts';
import { findBlockingReason } from '../../work/blocking.ts';
import { currentRows } from '../../work/runs.ts';
import {
  type ComparedLine,
  findEditedProducts,
  readOutcomesOfPlan,
  storeDeviations,
} from '../previews/plan-lines.ts';
import { beginPreview, changePreview, findPreview, getEditsSincePlan } from '../previews/previews.ts';
import { type LineChoice, setLineChoices } from '../previews/push-choices.ts';
import { readPushRun } from '../push-run.ts';

/** Begins a plan of an import's push. Replaces the earlier plan, even one in progress. Needs its own transaction. */
export async function beginPlan(db: Db, id: string): Promise<ActionResult> {
  const record = await lockImport(db, id);
  if (!record || !canDo('plan', record.status)) return refuseInStatus(record);
  if (record.status === 'failed' && record.failed_in !== 'push') return refuseInStatus(record);
  const reason = await findBlockingReason(db, record, 'plan');
  if (reason !== undefined) return { ok: false, reason };
  const made_from = storableJson(await readPlanSettings(db));
  const plan = {
    kind: 'push',
    rows_run: record.rows_run,
    made_from,
    last_edit: await readLastEditId(db, id),
  } as const;
  return beginPreview(db, record, plan, record.product_numbers);
}

export async function readPlanSettings(db: Db): Promise<PlanSettings> {
  const { draftMode } = await readSettings(db);
  const { whenInStore, sendNonOverlapping } = await readPreferences(db);
  return { draftMode, whenInStore, sendNonOverlapping };
}

/** `more`: further products wait, because at most 10,000 are decided per call. */
type Chosen = { ok: true; decided: number; more: boolean } | ActionRefusal;

/**
 * Stores a choice about one product of a plan, or about all products that wait. Null removes choices. A choice holds
 * until the product changes. A choice about all quantities also holds for later lists. Call it outside a transaction.
 */
export async function savePlanChoice(db: Db, record: ImportRecord, of: LineChoice): Promise<Chosen> {
  const chosen = await db.transaction().execute(async (trx): Promise<Chosen> => {
    const plan = await findPreview(trx, record.id, 'push');
    if (!plan?.previewed_at || plan.shop === null) return notPlanned;
    if (plan.rows_run !== record.rows_run) return readAgain;
    const { id, import_id, shop } = plan;
    const stored = await setLineChoices(trx, { id, import_id, shop }, of);
    if (of.about === 'not-sent' && of.product === undefined && record.supplier !== null) {
      await rememberStockChoice(trx, record.supplier, of.choice as StockChoice | null);
    }
    return { ok: true, ...stored };
  });
  // Locks the import briefly, in a second transaction. Choices are locked before the import here and in a push.
  if (chosen.ok) await changeImport(db, record.id, {});
  return chosen;
}

const notPlanned: ActionRefusal = {
  ok: false,
  reason: 'The push of this import has not been planned. Plan the push, then decide.',
};
const readAgain: ActionRefusal = {
  ok: false,
  reason: 'The file was read again after the push was planned. Plan the push again, then decide.',
};

/** Products per read, which takes about 10 ms. */
const productsPerRead = 2_000;

/** Compares the latest push with its complete plan and stores the differences. Holds no lock. Safe to repeat. */
export async function comparePlan(db: Db, record: ImportRecord): Promise<void> {
  const plan = await findPreview(db, record.id, 'push');
  const run = record.push_run;
  const isOther = plan?.run != null && plan.run !== run;
  if (!plan?.previewed_at || plan.rows_run !== record.rows_run || isOther) return;
  const pushRun = await readPushRun(db, { import_id: record.id, run });
  const settings = !isSamePlanSettings(plan.made_from, pushRun) || plan.shop !== pushRun.shop;
  const rows = currentRows(record);
  const compared: PlanComparison = { asPlanned: 0, otherwise: {} };
  for (let after = 0; ; ) {
    const page = { after, limit: productsPerRead };
    const found = await readOutcomesOfPlan(db, { plan: plan.id, rows, pushRun: run }, page);
    const differing = found.filter((line) => deviationIf(line) !== null);
    const numbers = differing.map(({ product }) => product);
    const edited = await findEditedProducts(db, rows, numbers, getEditsSincePlan(plan));
    const lines = differing.flatMap((line) => {
      const otherwise = deviationIf(line, { edited: edited.has(line.product), settings });
      return otherwise === null ? [] : [{ product: line.product, otherwise }];
    });
    await storeDeviations(db, plan.id, lines);
    compared.asPlanned += found.length - lines.length;
    for (const { otherwise } of lines) {
      compared.otherwise[otherwise] = (compared.otherwise[otherwise] ?? 0) + 1;
    }
    const last = found.at(-1);
    if (!last || found.length < productsPerRead) break;
    after = last.product;
  }
  await changePreview(db, plan.id, { run, compared: storableJson(compared) });
}

const deviationIf = (line: ComparedLine, changed = { edited: false, settings: false }) =>
  findDeviation(line, { outcome: line.done, code: line.doneCode }, changed);
