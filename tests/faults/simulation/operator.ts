import type { Db } from '@draftshelf/core/connection/database';
import type { PushUndoRecord } from '@draftshelf/core/connection/schema';
import type { ActionResult } from '@draftshelf/core/imports/action-result';
import { findImport, lockImport } from '@draftshelf/core/imports/imports';
import { hasPreviewRun } from '@draftshelf/core/push/changes/carry-out';
import { carryOutGonePlan, planGoneProducts } from '@draftshelf/core/push/changes/gone';
import { beginUndoPush, previewUndo } from '@draftshelf/core/push/changes/undo';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import { cancelImport, pauseImport, resumeImport } from '@draftshelf/core/work/import-actions';
import type { GoneAction } from '@draftshelf/domain/suppliers/gone';
import { editRow } from '../../support/edit-row.ts';
import { createActor } from './actor.ts';
import { beginPush, listed } from './model.ts';
import type { Run } from './run-in-simulation.ts';

type Operator = Pick<Run, 'database' | 'settle'>;

/** Undoes the last push, as an operator who tries again when it is refused. */
export const undo = (run: Operator, id: string): Promise<void> => carryOut(run, id, undoOf(run, id));

const undoOf = ({ database: { db } }: Operator, id: string): Change<PushUndoRecord> => ({
  find: () => findPreview(db, id, 'undo'),
  plan: (trx) => previewUndo(trx, id, { whenUnsure: 'keep' }),
  begin: (trx, { undoes_run: undone }) => beginUndoPush(trx, id, { run: undone }),
});

/** In one of so many steps. */
const cancelEvery = 150;

/** Undoes the last push, cancels that once or twice between any two steps, and undoes what is left. */
export async function undoInParts(run: Run, id: string): Promise<void> {
  const { scheduler } = run;
  let cancels = scheduler.random.pick([1, 2]);
  let isCancelled = false;
  const perform = async (): Promise<string> => {
    const done = await act(run, async (trx) => {
      const record = await lockImport(trx, id);
      return record && hasPreviewRun(record) ? cancelImport(trx, id) : { ok: false };
    });
    if (!done) return 'is refused';
    cancels -= 1;
    isCancelled = true;
    return 'cancels';
  };
  const actor = createActor('operator');
  scheduler.provide(() =>
    cancels === 0 || scheduler.random.between(0, cancelEvery) >= 1
      ? []
      : [{ actor, kind: 'operator', name: '', perform }],
  );
  await carryOut(run, id, undoOf(run, id), () => {
    const again = isCancelled;
    isCancelled = false;
    return again;
  });
}

/** Changes the products that are gone by a list, as undo does. */
export const changeGone = (run: Operator, id: string, action: GoneAction): Promise<void> =>
  carryOut(run, id, {
    find: () => findPreview(run.database.db, id, 'gone'),
    plan: (trx) => planGoneProducts(trx, id, { action, keys: null, automatic: false }),
    begin: (trx, plan) => carryOutGonePlan(trx, id, plan.id),
  });

type Change<Plan> = {
  find(): Promise<Plan | undefined>;
  plan(trx: Db): Promise<ActionResult>;
  begin(trx: Db, plan: Plan): Promise<ActionResult>;
};

/** `isAgain`: whether what has ended was cancelled, so that the rest is planned and carried out. */
async function carryOut<Plan extends Pick<PushUndoRecord, 'problem' | 'previewed_at'>>(
  { database: { db }, settle }: Operator,
  id: string,
  { find, plan, begin }: Change<Plan>,
  isAgain = () => false,
): Promise<void> {
  const act = (step: (trx: Db) => Promise<ActionResult>) => db.transaction().execute(step);
  await act(plan);
  let next: 'plan' | 'begin' | 'end' = 'begin';
  await settle(async () => {
    const record = await findImport(db, id);
    if (record?.status === 'failed') throw new Error(`It has failed: ${record.error_message}`);
    if (next === 'end' && record?.undoes_run === null) {
      if (!isAgain()) return true;
      next = 'plan';
    }
    if (next === 'plan') {
      const planned = await act(plan);
      if (!planned.ok) return planned.reason.startsWith('This import has no push');
      next = 'begin';
    } else if (next === 'begin') {
      const found = await find();
      if (!found || found.problem !== null) await act(plan);
      else if (found.previewed_at !== null && (await act((trx) => begin(trx, found))).ok) next = 'end';
    }
    return false;
  });
}

/** In one of so many steps. */
const editEvery = 100;

/**
 * Pushes an import, and changes titles and pauses it between any two steps meanwhile; then pushes it again until no
 * change is left. Returns the titles by SKU. An operator whose change waits for a lock gives up, and tries another.
 */
export async function pushAndEdit(run: Run, id: string): Promise<ReadonlyMap<string, string>> {
  const { database, scheduler, settle } = run;
  const { db } = database;
  const { random } = scheduler;
  const titles = new Map<string, string>();
  let changes = random.pick([2, 4, 8]);
  let isPaused = false;
  const change = async (): Promise<string> => {
    if (isPaused || random.between(0, 4) < 1) {
      const set = isPaused ? resumeImport : pauseImport;
      if (!(await act(run, (trx) => set(trx, id)))) return 'is refused';
      isPaused = !isPaused;
      return isPaused ? 'pauses' : 'resumes';
    }
    const { sku, row, title } = random.pick(firstRows);
    const next = `${title} again ${changes}`;
    if (!(await act(run, (trx) => editRow(trx, id, row, { title: next })))) return 'is refused';
    changes -= 1;
    titles.set(sku, next);
    return `edits ${sku}`;
  };
  const actor = createActor('operator');
  scheduler.provide(() =>
    (changes === 0 && !isPaused) || random.between(0, editEvery) >= 1
      ? []
      : [{ actor, kind: 'operator', name: '', perform: change }],
  );
  await beginPush(database, id);
  await settle(async () => {
    const record = await findImport(db, id);
    if (record?.status === 'processed') await beginPush(database, id);
    return record?.status === 'completed';
  });
  return titles;
}

/** Does something at the simulated time. Returns false if it is refused or waits for a lock. */
const act = (
  { database: { db, pool }, scheduler }: Run,
  change: (trx: Db) => Promise<{ ok: boolean }>,
): Promise<boolean> =>
  pool
    .query(`select setval('sim.clock', ${scheduler.now()})`)
    .then(() => db.transaction().execute(change))
    .then(({ ok }) => ok)
    .catch((error: { code?: string }) => {
      if (error.code !== lockNotAvailable) throw error;
      return false;
    });

const lockNotAvailable = '55P03';

/** The first rows of the list's products. */
const firstRows = listed.list.map(({ sku, title }, at) => ({
  ...{ sku, title },
  row: at + 1 + listed.list.slice(0, at).filter(({ large }) => large).length,
}));
