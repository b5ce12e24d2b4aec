import type { PushUndo, UndoneProduct } from '@draftshelf/contract/push/push-undo';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord, PushUndoRecord } from '@draftshelf/core/connection/schema';
import { readOutcomeNumbers } from '@draftshelf/core/push/outcomes';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import { findUndoablePush, readPushStart, undoableUntil } from '@draftshelf/core/push/previews/push-undos';
import type { ShownUndoLine } from '@draftshelf/core/push/previews/undo-lines';
import { readShopUrl } from '@draftshelf/core/push/store/shops';
import { readBudget } from '@draftshelf/core/push/store/store-budget';
import { asksForDeletions, countDeletions } from '@draftshelf/core/push/undo/begin-undo-push';
import { listTasks, type TaskRecord } from '@draftshelf/core/work/tasks';
import { type UndoCode, undoChoicesFor } from '@draftshelf/domain/push/push-undo';
import { undoSumsOf } from '@draftshelf/domain/push/undo-actions';
import { productUrlIn } from '../access/store-connection.ts';
import { previewState } from './preview-state.ts';

const nothing: Omit<PushUndo, 'run' | 'gone' | 'pushedAt' | 'undoableUntil'> = {
  ...{ message: null, done: 0, total: 0, sums: [], results: [] },
  ...{ recreatedVariants: 0, choosableProducts: 0, chosenProducts: 0, deletedAnyway: 0 },
  ...{ asksForDeletions: false, estimate: null, previewedAt: null, endedAt: null },
  state: 'none',
  whenUnsure: 'keep',
};

/** Returns the undo of an import's push, previewed or carried out; or which push can be undone. */
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
  const task = (await listTasks(db, record.id)).findLast((one) => one.task === 'plan-undo');
  return {
    ...stateOf(undo, task, record),
    ...of,
    whenUnsure: undo.when_unsure,
    sums: planned.sums,
    results: undoSumsOf(undo.results).map(({ action, code, products }) => ({ action, code, products })),
    recreatedVariants: undo.recreated_variants,
    choosableProducts: undoSumsOf(undo.sums).reduce(
      (all, { choosable, products }) => (choosable ? all + products : all),
      0,
    ),
    chosenProducts: planned.chosenProducts,
    deletedAnyway: planned.deletedAnyway,
    asksForDeletions: asksForDeletions(planned),
    estimate: undo.previewed_at === null ? null : await estimate(db, undo),
    previewedAt: undo.previewed_at?.toISOString() ?? null,
    endedAt: undo.ended_at?.toISOString() ?? null,
  };
}

type State = Pick<PushUndo, 'state' | 'message' | 'done' | 'total'>;

function stateOf(undo: PushUndoRecord, task: TaskRecord | undefined, record: ImportRecord): State {
  const total = undo.total ?? 0;
  const done = undoSumsOf(undo.results).reduce((sum, { products }) => sum + products, 0);
  if (undo.run !== null) return stateOfRun(undo, record, { done, total });
  return previewState(undo, task, { running: 'previewing', total, planned: 0 });
}

export function stateOfRun(
  { ended_at }: Pick<PushUndoRecord, 'ended_at'>,
  record: ImportRecord,
  { done, total }: { done: number; total: number },
): State {
  if (ended_at !== null) return { state: done < total ? 'stopped' : 'undone', message: null, done, total };
  if (record.status === 'failed') return { state: 'failed', message: record.error_message, done, total };
  const state = record.status === 'paused' ? 'paused' : 'undoing';
  return { state, message: record.waiting_for, done, total };
}

/** The points of its writes, and the time that they take at the store's rate. */
async function estimate(db: Db, { shop, points }: PushUndoRecord): Promise<PushUndo['estimate']> {
  const url = await readShopUrl(db, shop);
  const budget = url === null ? null : await readBudget(db, url);
  if (!budget) return { points, seconds: 0 };
  return { points, seconds: Math.ceil(Math.max(0, points - budget.points) / budget.restoreRate) };
}

export async function toUndoneProducts(
  db: Db,
  record: ImportRecord,
  undo: PushUndoRecord,
  lines: readonly ShownUndoLine[],
): Promise<UndoneProduct[]> {
  const numbers = await readOutcomeNumbers(
    db,
    record,
    lines.map(({ our_id }) => our_id),
  );
  const url = await readShopUrl(db, undo.shop);
  return lines.map(({ title, action, code, message, choice, choiceForAll, ...line }) => ({
    ...{ product: line.line, title, action, code, message, choice, choiceForAll },
    number: numbers.get(line.our_id) ?? null,
    parts: line.kept ?? [],
    storeUrl: productUrlIn(url ?? undefined, line.store_product_id),
    choices: line.choosable && undo.run === null ? [...undoChoicesFor(true, code as UndoCode | null)] : [],
    result: line.result && { action: line.result, code: line.result_code, message: line.result_message },
  }));
}
