import type { Plan, PlannedProduct } from '@draftshelf/contract/push/plan';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord, PlanLineRecord, PlanRecord } from '@draftshelf/core/connection/schema';
import { countUndecidedProducts } from '@draftshelf/core/push/missed-products';
import { estimatePlan } from '@draftshelf/core/push/plan/estimate-plan';
import { readPlanSettings } from '@draftshelf/core/push/plan/plan';
import { findEditedProducts } from '@draftshelf/core/push/previews/plan-lines';
import { findPreview, getEditsSincePlan, hasUndoEndedSince } from '@draftshelf/core/push/previews/previews';
import { readLastPushRun } from '@draftshelf/core/push/push-run';
import { hasUndoneStates } from '@draftshelf/core/push/pushed-states';
import { readShopUrl } from '@draftshelf/core/push/store/shops';
import { countRowsEditedAfterPush, countRowsEditedSince } from '@draftshelf/core/review/commands/edits-since';
import { readFirstRows } from '@draftshelf/core/review/effective-rows';
import { currentRows } from '@draftshelf/core/work/runs';
import { listTasks, type TaskRecord } from '@draftshelf/core/work/tasks';
import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { parseMoney } from '@draftshelf/domain/base/money';
import type { Outcome } from '@draftshelf/domain/imports/outcome';
import { nameOfRow } from '@draftshelf/domain/products/draft-product';
import { countDecisions } from '@draftshelf/domain/push/plan-decisions';
import type { PushChoice } from '@draftshelf/domain/push/push-choices';
import {
  countPlannedProducts,
  type Deviation,
  isSamePlanSettings,
  type ShownChanges,
  toSums,
} from '@draftshelf/domain/push/push-plan';
import { createProductUrl } from '../access/store-connection.ts';

/** Returns the plan of the next or last push. `storeUrl`: the connected store, for which a new plan is estimated. */
export async function readPlan(db: Db, record: ImportRecord, storeUrl: string | null): Promise<Plan> {
  const plan = await findPreview(db, record.id, 'push');
  const estimate = storeUrl === null ? null : await estimatePlan(db, record, storeUrl);
  if (!plan) return { ...noPlan, total: record.product_numbers, estimate };
  const task = (await listTasks(db, record.id)).findLast((one) => one.task === 'plan-push');
  return {
    ...toPreviewState(plan, task, {
      ...{ running: 'running', total: record.product_numbers },
      planned: toSums(plan.sums).reduce((sum, { products }) => sum + products, 0),
    }),
    sums: toSums(plan.sums).map((sum) => ({ ...sum, outcome: sum.outcome as Outcome })),
    startedAt: plan.started_at.toISOString(),
    endedAt: plan.previewed_at?.toISOString() ?? null,
    points: plan.points,
    copiedAt: plan.copied_at?.toISOString() ?? null,
    outdated: await readChangesSince(db, plan, record),
    estimate,
    push: await readPushComparison(db, plan, record),
    ...toDecisions(plan),
  };
}

/** Returns whether a finished plan is outdated: by a change or, once it is pushed, by an undo or an edit of rows. */
export async function isPlanOutdated(db: Db, plan: PlanRecord, record: ImportRecord): Promise<boolean> {
  if (plan.run === null) {
    return (
      plan.previewed_at !== null && (plan.decided_since > 0 || (await hasChangedSince(db, plan, record)))
    );
  }
  const push = await readPushComparison(db, plan, record);
  if (push === null || push.isUndone || isFileReread(plan, record)) return push !== null;
  return (await countEdited(db, record, plan)) > 0;
}

async function readChangesSince(db: Db, plan: PlanRecord, record: ImportRecord): Promise<Plan['outdated']> {
  return {
    rows: isFileReread(plan, record),
    settings: !isSamePlanSettings(plan.made_from, await readPlanSettings(db)),
    store: plan.run === null && (await hasUndoEndedSince(db, plan)),
    editedRows: await countEdited(db, record, plan),
  };
}

async function hasChangedSince(db: Db, plan: PlanRecord, record: ImportRecord): Promise<boolean> {
  const { rows, settings, store, editedRows } = await readChangesSince(db, plan, record);
  return rows || settings || store || editedRows > 0;
}

/** Counts the rows edited since a plan, or since the plan's push if that push has ended. */
async function countEdited(db: Db, record: ImportRecord, plan: PlanRecord): Promise<number> {
  if (plan.compared === null) return countRowsEditedSince(db, record.id, getEditsSincePlan(plan));
  return isFileReread(plan, record) ? 0 : countRowsEditedAfterPush(db, currentRows(record), plan.last_edit);
}

const noPlan = {
  ...{
    state: 'none',
    message: null,
    done: 0,
    sums: [],
    startedAt: null,
    endedAt: null,
    points: 0,
    copiedAt: null,
  },
  outdated: { rows: false, settings: false, store: false, editedRows: 0 },
  push: null,
  needDecision: 0,
  decided: 0,
  decidedSince: 0,
  decisions: [],
} as const satisfies Partial<Plan> | { sums: readonly []; decisions: readonly [] };

type NextPush = {
  /** Products that need a decision: in the plan of the next push, or else after the last push. */
  toDecide: number;
  /** Planned products that are sent because of a choice. */
  decided: number;
  /** Products that the push would create or update. Null if no plan is up to date. */
  sent: number | null;
};

export async function readNextPush(db: Db, record: ImportRecord): Promise<NextPush> {
  const plan = await findPreview(db, record.id, 'push');
  if (!plan?.previewed_at || plan.run !== null || isFileReread(plan, record)) {
    const isMissed = record.shop !== null && record.skipped > 0;
    const toDecide = isMissed ? await countUndecidedProducts(db, currentRows(record), record.shop ?? '') : 0;
    return { toDecide, decided: 0, sent: null };
  }
  const { needDecision: toDecide, decisions } = toDecisions(plan);
  const made = decisions.flatMap(({ choices }) => choices).filter(({ choice }) => choice !== 'skip');
  const sent = toSums(plan.sums)
    .filter(({ outcome }) => outcome === 'created' || outcome === 'updated')
    .reduce((sum, { products }) => sum + products, 0);
  const isUpToDate =
    countPlannedProducts(plan.sums).all >= record.total_products &&
    plan.decided_since === 0 &&
    !(await hasChangedSince(db, plan, record));
  // Limited to sent products, because lasting choices count even if this push does not send their products.
  const decided = Math.min(
    made.reduce((sum, one) => sum + one.decided, 0),
    sent + plan.decided_since,
  );
  return { toDecide, decided, sent: isUpToDate ? sent : null };
}

function toDecisions(
  plan: PlanRecord,
): Pick<Plan, 'needDecision' | 'decided' | 'decidedSince' | 'decisions'> {
  const decisions = countDecisions(plan.decisions);
  const made = decisions.flatMap(({ choices }) => choices);
  return {
    needDecision: decisions.reduce((sum, { open }) => sum + open, 0),
    decided: made.reduce((sum, { decided }) => sum + decided, 0),
    decidedSince: plan.decided_since,
    decisions,
  };
}

/** Compares a plan with the push that followed. Null if no such push has ended. */
export async function readPushComparison(
  db: Db,
  { run, compared }: PlanRecord,
  { id, undoes_run }: ImportRecord,
): Promise<Plan['push']> {
  if (run === null || compared === null) return null;
  const lastPush = await readLastPushRun(db, id);
  const otherwise = Object.entries(compared.otherwise) as [Deviation, number][];
  return {
    run,
    isLast: run === lastPush,
    isUndone: run === lastPush && undoes_run === null && (await hasUndoneStates(db, id, run)),
    asPlanned: compared.asPlanned,
    otherwise: otherwise.map(([reason, products]) => ({ reason, products })),
  };
}

/** Returns whether the file was re-read since the plan. The plan's product numbers may then mean other products. */
export const isFileReread = (plan: PlanRecord, record: ImportRecord): boolean =>
  plan.rows_run !== record.rows_run;

/** Converts lines of a plan and adds the choices made since. After a re-read, the lines have no titles. */
export async function toPlannedProducts(
  db: Db,
  record: ImportRecord,
  plan: PlanRecord,
  lines: readonly PlanLineRecord[],
): Promise<PlannedProduct[]> {
  const of = currentRows(record);
  const numbers = isFileReread(plan, record) ? [] : lines.map(({ line }) => line);
  const firstRows = await readFirstRows(db, of, numbers);
  const edited = await findEditedProducts(db, of, numbers, getEditsSincePlan(plan));
  const url = plan.shop === null ? null : await readShopUrl(db, plan.shop);
  return lines.map((line) => {
    const { line: product, code, message, otherwise, about, choice, planned_choice: plannedChoice } = line;
    const values = firstRows.get(product)?.values ?? {};
    const { shown, more } = line.facts.changes ?? changesWithout(line, values);
    return {
      ...{ product, code, message, otherwise, about, choice, plannedChoice },
      title: nameOfRow(values),
      sku: values.sku ?? null,
      outcome: line.action,
      parts: line.facts.parts ?? [],
      ...{ changes: shown, moreChanges: more },
      storeUrl: createProductUrl(url ?? undefined, line.store_product_id),
      edited: edited.has(product),
      choices: (line.choices?.split(',') ?? []) as PushChoice[],
    };
  });
}

/** Returns the changes to show for a line without stored changes: the price of a new product, otherwise none. */
function changesWithout({ action }: PlanLineRecord, { price }: RowValues): ShownChanges {
  const amount = action === 'created' ? parseMoney(price ?? '')?.amount : undefined;
  const shown = amount === undefined ? [] : [{ part: 'variants', name: 'price', store: null, push: amount }];
  return { shown, more: 0 };
}

type Made = Pick<PlanRecord, 'previewed_at' | 'problem'>;

/** Returns a preview's state, `running` while `task` makes it. `planned`: products planned before a failure. */
export function toPreviewState<Running extends string>(
  { previewed_at, problem }: Made,
  task: TaskRecord | undefined,
  { running, total, planned }: { running: Running; total: number; planned: number },
): { state: Running | 'ready' | 'failed' | 'stopped'; message: string | null; done: number; total: number } {
  if (previewed_at !== null) return { state: 'ready', message: null, done: total, total };
  if (problem !== null) return { state: 'failed', message: problem, done: planned, total };
  if (!task) return { state: 'stopped', message: null, done: 0, total };
  const { done } = task;
  if (task.state === 'dead') return { state: 'failed', message: task.error, done, total };
  return { state: running, message: task.state === 'pending' ? task.waiting_for : null, done, total };
}
