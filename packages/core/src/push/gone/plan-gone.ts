import { type GoneAction, goneSumsOf } from '@draftshelf/domain/suppliers/gone';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { GonePlan, GoneRecord, ImportRecord, Schema } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import type { ActionRefused, ActionResult } from '../../imports/action-result.ts';
import { changeImport } from '../../imports/imports.ts';
import { listForAutoGone, readGoneUntil } from '../../suppliers/gone.ts';
import { changeList, findListOf, listCounted } from '../../suppliers/lists.ts';
import { currentRows } from '../../work/runs.ts';
import { dropDeadTasks, dropTasks, enqueueTask } from '../../work/tasks.ts';
import { findPreview, insertPreview } from '../previews/previews.ts';
import { beginCarryingOut } from '../undo/begin-undo-push.ts';
import { isUndoing } from '../undo/end-undo.ts';
import { lockUndoable } from '../undo/preview-undo.ts';

const refused = (reason: string): ActionRefused => ({ ok: false, reason });
const notLatest = refused(
  'Nothing is gone by this list: it is not the latest one, or the lists are not complete.',
);
const notPlanned = refused('What is done with these products has not been planned. Plan it first.');
const otherPlan = refused('Another plan was made since, maybe in another tab. Look at it first.');
const outdated = refused('Another list counts by now, or the import was pushed since. Plan it again.');

type Wanted = { action: GoneAction; keys: string[] | null; automatic: boolean };

/** Begins to plan for products gone from an import's list, replacing the earlier plan. In its own transaction. */
export async function planGone(
  db: Db,
  id: string,
  { action, keys, automatic }: Wanted,
): Promise<ActionResult> {
  const locked = await lockUndoable(db, id, isUndoing);
  if (!locked.ok) return locked;
  const { import: record } = locked;
  const gone = await readGoneList(db, record);
  if (!gone) return notLatest;
  await dropDeadTasks(db, id, 'plan-gone');
  await dropTasks(db, id, ['plan-gone']);
  await insertPreview(db, {
    ...{ import_id: id, kind: 'gone', made_at_run: record.push_run },
    gone: storableJson({ action, keys, automatic, ...gone } satisfies GonePlan),
  });
  if (!automatic) await noteActed(db, gone);
  await enqueueTask(db, currentRows(record), 'plan-gone');
  const changed = await changeImport(db, id, {});
  return { ok: true, import: changed ?? record };
}

/** Carries a plan out, as the next push run of the import. In its own transaction. */
export async function pushGone(db: Db, id: string, planned: number): Promise<ActionResult> {
  const locked = await lockUndoable(db, id, isUndoing);
  if (!locked.ok) return locked;
  const { import: record } = locked;
  const plan = await findPreview(db, id, 'gone');
  if (plan && plan.id !== planned) return otherPlan;
  if (!plan || plan.run !== null || plan.problem !== null || plan.previewed_at === null) return notPlanned;
  if (!(await isCurrent(db, record, plan))) return outdated;
  await noteActed(db, plan.gone);
  return { ok: true, import: await beginCarryingOut(db, record, plan) };
}

/** Plans are removed after some months, and lists are not. */
const noteActed = (db: Db, { supplier, list }: Pick<GonePlan, 'supplier' | 'list'>): Promise<void> =>
  changeList(db, { supplier, number: list }, { gone_acted_at: sql<Date>`clock_timestamp()` });

/** Null unless the import is the latest list and items are gone. */
async function readGoneList(
  db: Db,
  { id }: ImportRecord,
): Promise<Pick<GonePlan, 'supplier' | 'list' | 'until'> | null> {
  const list = await findListOf(db, id);
  if (!list) return null;
  const { supplier, number } = list;
  const [last] = await listCounted(db, supplier, 1);
  const until = last?.number === number ? await readGoneUntil(db, supplier) : null;
  return until === null ? null : { supplier, list: number, until };
}

/** Whether all that a plan depends on is unchanged. */
export async function isCurrent(
  db: Db,
  record: ImportRecord,
  { made_at_run, gone }: Pick<GoneRecord, 'made_at_run' | 'gone'>,
): Promise<boolean> {
  const now = await readGoneList(db, record);
  return made_at_run === record.push_run && now?.list === gone.list && now.until === gone.until;
}

/**
 * Plans and carries out the suppliers' standing answers about products that are gone, once for each list that full auto
 * has pushed. A list that a person has planned for is left to that person, and so is one with findings against it.
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
