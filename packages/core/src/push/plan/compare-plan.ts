import { deviationOf, isSameSettings, type PlanComparison } from '@draftshelf/domain/push/push-plan';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { currentRows } from '../../work/runs.ts';
import { findEditedProducts, markOtherwise, readOutcomesOfPlan } from '../previews/plan-lines.ts';
import { changePreview, editsSincePlan, findPreview } from '../previews/previews.ts';
import { readPushRun } from '../push-run.ts';

/** A read of this many takes about 10 ms. */
const productsPerRead = 2_000;

/** Compares the latest push with its complete plan and stores the differences. Holds no lock; safe to repeat. */
export async function comparePlan(db: Db, record: ImportRecord): Promise<void> {
  const plan = await findPreview(db, record.id, 'push');
  const run = record.push_run;
  const isOther = plan?.run != null && plan.run !== run;
  if (!plan?.previewed_at || plan.rows_run !== record.rows_run || isOther) return;
  const pushRun = await readPushRun(db, { import_id: record.id, run });
  const settings = !isSameSettings(plan.made_from, pushRun) || plan.shop !== pushRun.shop;
  const rows = currentRows(record);
  const compared: PlanComparison = { asPlanned: 0, otherwise: {} };
  for (let after = 0; ; ) {
    const page = { after, limit: productsPerRead };
    const found = await readOutcomesOfPlan(db, { plan: plan.id, rows, pushRun: run }, page);
    const differing = found.filter(({ planned, done }) => deviationOf(planned, done, unchanged) !== null);
    const numbers = differing.map(({ product }) => product);
    const edited = await findEditedProducts(db, rows, numbers, editsSincePlan(plan));
    const lines = differing.flatMap(({ product, planned, done }) => {
      const otherwise = deviationOf(planned, done, { edited: edited.has(product), settings });
      return otherwise === null ? [] : [{ product, otherwise }];
    });
    await markOtherwise(db, plan.id, lines);
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

const unchanged = { edited: false, settings: false };
