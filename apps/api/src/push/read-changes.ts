import type { GoneProductsPlan } from '@draftshelf/contract/push/gone';
import type { PushUndo, UndoProduct } from '@draftshelf/contract/push/push-undo';
import type { Db } from '@draftshelf/core/connection/database';
import type {
  GoneLineRecord,
  GoneRecord,
  ImportRecord,
  PushUndoRecord,
  UndoLineRecord,
} from '@draftshelf/core/connection/schema';
import { countDeletions, mustConfirmDeletions } from '@draftshelf/core/push/changes/undo';
import { readOutcomeProducts } from '@draftshelf/core/push/outcomes';
import { findCodeChoice } from '@draftshelf/core/push/previews/change-lines';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import { findUndoablePush, readPushStart, undoableUntil } from '@draftshelf/core/push/previews/push-undos';
import { readShopUrl } from '@draftshelf/core/push/store/shops';
import { readStoreBudget } from '@draftshelf/core/push/store/store-budget';
import { listTasks } from '@draftshelf/core/work/tasks';
import type { UndoChoice } from '@draftshelf/domain/push/push-undo';
import { listUndoSums } from '@draftshelf/domain/push/undo-actions';
import { decodeGoneSums, onSaleKey } from '@draftshelf/domain/suppliers/gone';
import { createProductUrl } from '../access/store-connection.ts';
import { toPreviewState } from './read-plan.ts';

const nothing: Omit<PushUndo, 'run' | 'gone' | 'pushedAt' | 'undoableUntil'> = {
  ...{ message: null, done: 0, total: 0, sums: [], results: [] },
  ...{ recreatedVariants: 0, choosableProducts: 0, chosenProducts: 0, deletedAnyway: 0 },
  ...{ asksForDeletions: false, estimate: null, previewedAt: null, endedAt: null },
  state: 'none',
  whenUnsure: 'keep',
};

/** Returns the undo of an import's push, as preview or result. If there is no undo, returns the push to undo. */
export async function readPushUndo(db: Db, record: ImportRecord): Promise<PushUndo> {
  const undo = await findPreview(db, record.id, 'undo');
  const isStale = undo && (undo.run ?? undo.made_at_run) !== record.push_run;
  const push = await findUndoablePush(db, record.id, isStale ? undefined : undo?.undoes_run);
  const undoable = push ? undoableUntil(push).toISOString() : null;
  const run = undo && !isStale ? undo.undoes_run : (push?.run ?? null);
  const start = run === null ? undefined : await readPushStart(db, record.id, run);
  const gone = run === null ? undefined : await findPreview(db, record.id, 'gone');
  const action = gone?.run === run ? gone.gone.action : null;
  const of = { run, gone: action, pushedAt: start?.toISOString() ?? null, undoableUntil: undoable };
  if (!undo || isStale) return { ...nothing, ...of };
  const planned = await countDeletions(db, undo);
  return {
    ...(await stateOf(db, undo, record)),
    ...of,
    whenUnsure: undo.when_unsure,
    sums: planned.sums,
    results: listUndoSums(undo.results).map(({ action, code, products }) => ({ action, code, products })),
    recreatedVariants: undo.recreated_variants,
    choosableProducts: listUndoSums(undo.sums).reduce(
      (all, { choosable, products }) => (choosable ? all + products : all),
      0,
    ),
    chosenProducts: planned.chosenProducts,
    deletedAnyway: planned.deletedAnyway,
    asksForDeletions: mustConfirmDeletions(planned),
    estimate: undo.previewed_at === null ? null : await estimate(db, undo),
    previewedAt: undo.previewed_at?.toISOString() ?? null,
    endedAt: undo.ended_at?.toISOString() ?? null,
  };
}

/** Returns the plan for products that are gone from an import's list, or the plan's result. */
export async function readGonePlan(db: Db, record: ImportRecord): Promise<GoneProductsPlan> {
  const plan = await findPreview(db, record.id, 'gone');
  if (!plan || (plan.run ?? plan.made_at_run) > record.push_run) {
    const none = { plan: null, state: 'none', action: null, message: null, run: null } as const;
    return { ...none, done: 0, total: 0, sums: [], onSale: 0, results: [] };
  }
  return {
    ...(await stateOf(db, plan, record)),
    ...{ plan: plan.id, action: plan.gone.action },
    ...{ sums: decodeGoneSums(plan.sums), results: decodeGoneSums(plan.results) },
    onSale: plan.sums[onSaleKey] ?? 0,
    run: plan.ended_at === null ? null : plan.run,
  };
}

type State = Pick<PushUndo, 'state' | 'message' | 'done' | 'total'>;

async function stateOf(db: Db, preview: PushUndoRecord | GoneRecord, record: ImportRecord): Promise<State> {
  const total = preview.total ?? 0;
  const done = Object.values(preview.results).reduce((sum, products) => sum + products, 0);
  if (preview.run === null) {
    const task = (await listTasks(db, record.id)).findLast((one) => one.task === `plan-${preview.kind}`);
    return toPreviewState(preview, task, { running: 'previewing', total, planned: 0 });
  }
  if (preview.ended_at !== null) {
    return { state: done < total ? 'stopped' : 'undone', message: null, done, total };
  }
  if (record.status === 'failed') return { state: 'failed', message: record.error_message, done, total };
  const state = record.status === 'paused' ? 'paused' : 'undoing';
  return { state, message: record.waiting_for, done, total };
}

/** Returns the points of an undo's writes, and the seconds that the writes take at the store's rate. */
async function estimate(db: Db, { shop, points }: PushUndoRecord): Promise<PushUndo['estimate']> {
  const url = await readShopUrl(db, shop);
  const budget = url === null ? null : await readStoreBudget(db, url);
  if (!budget) return { points, seconds: 0 };
  return { points, seconds: Math.ceil(Math.max(0, points - budget.points) / budget.restoreRate) };
}

export async function toUndoneProducts(
  db: Db,
  record: ImportRecord,
  undo: PushUndoRecord,
  lines: readonly UndoLineRecord[],
): Promise<UndoProduct[]> {
  const numbers = await readOutcomeProducts(
    db,
    record,
    lines.map(({ our_id }) => our_id),
  );
  const url = await readShopUrl(db, undo.shop);
  return lines.map(({ title, action, code, message, choice, ...line }) => ({
    ...{ product: line.line, title, action, code, message, choice },
    choiceForAll: findCodeChoice({ ...line, code }, undo.choices),
    number: numbers.get(line.our_id) ?? null,
    parts: line.facts.kept ?? [],
    storeUrl: createProductUrl(url ?? undefined, line.store_product_id),
    choices: (undo.run === null ? (line.choices?.split(',') ?? []) : []) as UndoChoice[],
    result: line.result && { action: line.result, code: line.result_code, message: line.result_message },
  }));
}

export async function toGoneProducts(
  db: Db,
  { shop }: GoneRecord,
  lines: readonly GoneLineRecord[],
  { results }: { results: boolean },
) {
  const url = shop === null ? null : await readShopUrl(db, shop);
  return lines.map(({ line, title, facts, ...one }) => ({
    ...{ line, title, key: facts.keys[0] ?? '', isWhole: facts.isWhole },
    end: results ? one.result : one.action,
    message: results ? one.result_message : one.message,
    storeUrl: createProductUrl(url ?? undefined, one.store_product_id),
  }));
}
