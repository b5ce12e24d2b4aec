import { decodeGoneSums, type GoneAction } from '@draftshelf/domain/suppliers/gone';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { GonePlan, GoneRecord, ImportRecord, Schema } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { type ActionResult, refuse } from '../../imports/action-result.ts';
import { findGoneThreshold, findListsForGoneAction } from '../../suppliers/gone.ts';
import { changeList, findListOfImport, listCountedLists } from '../../suppliers/lists.ts';
import { beginPreview, findPreview } from '../previews/previews.ts';
import { beginPreviewRun, hasPreviewRun } from './carry-out.ts';
import { lockUndoableImport } from './undo.ts';

const notLatest = refuse(
  'This list doesn’t show which products are missing. Either it isn’t the latest list, or the supplier’s lists aren’t complete.',
);
const notPlanned = refuse('The change of these products has not been planned. Plan it first.');
const otherPlan = refuse('A newer plan was made, maybe in another tab. Look at that plan first.');
const outdated = refuse(
  'A newer list arrived, or the import was pushed, after the plan was made. Plan the change again.',
);

type Wanted = { action: GoneAction; keys: string[] | null; automatic: boolean };

/** Begins a plan for products gone from an import's list. Replaces the earlier plan. Needs its own transaction. */
export async function planGoneProducts(
  db: Db,
  id: string,
  { action, keys, automatic }: Wanted,
): Promise<ActionResult> {
  const locked = await lockUndoableImport(db, id, hasPreviewRun);
  if (!locked.ok) return locked;
  const { import: record } = locked;
  const gone = await readGoneList(db, record);
  if (!gone) return notLatest;
  if (!automatic) await noteActed(db, gone);
  return beginPreview(db, record, {
    ...{ kind: 'gone', made_at_run: record.push_run },
    gone: storableJson({ action, keys, automatic, ...gone } satisfies GonePlan),
  });
}

/** Carries out a plan as the next push run of the import. Needs its own transaction. */
export async function carryOutGonePlan(db: Db, id: string, planned: number): Promise<ActionResult> {
  const locked = await lockUndoableImport(db, id, hasPreviewRun);
  if (!locked.ok) return locked;
  const { import: record } = locked;
  const plan = await findPreview(db, id, 'gone');
  if (plan && plan.id !== planned) return otherPlan;
  if (!plan || plan.run !== null || plan.problem !== null || plan.previewed_at === null) return notPlanned;
  if (!(await isGonePlanCurrent(db, record, plan))) return outdated;
  await noteActed(db, plan.gone);
  return { ok: true, import: await beginPreviewRun(db, record, plan) };
}

/** Records the action in the list, because plans are removed after some months but lists stay. */
const noteActed = (db: Db, { supplier, list }: Pick<GonePlan, 'supplier' | 'list'>): Promise<void> =>
  changeList(db, { supplier, number: list }, { gone_acted_at: sql<Date>`clock_timestamp()` });

/** Returns null if the import is not its supplier's latest list, or if no items are gone. */
async function readGoneList(
  db: Db,
  { id }: ImportRecord,
): Promise<Pick<GonePlan, 'supplier' | 'list' | 'until'> | null> {
  const list = await findListOfImport(db, id);
  if (!list) return null;
  const { supplier, number } = list;
  const [last] = await listCountedLists(db, supplier, 1);
  const until = last?.number === number ? await findGoneThreshold(db, supplier) : null;
  return until === null ? null : { supplier, list: number, until };
}

/** Returns whether everything that a plan depends on is unchanged. */
export async function isGonePlanCurrent(
  db: Db,
  record: ImportRecord,
  { made_at_run, gone }: Pick<GoneRecord, 'made_at_run' | 'gone'>,
): Promise<boolean> {
  const now = await readGoneList(db, record);
  return made_at_run === record.push_run && now?.list === gone.list && now.until === gone.until;
}

/**
 * Plans the action that the supplier's settings name for gone products, or carries the plan out. Includes only lists
 * pushed by full auto. Skips lists that a person has handled, and lists whose plan failed.
 */
export async function carryOutStandingActions(db: Kysely<Schema>): Promise<void> {
  for (const { id, action } of await findListsForGoneAction(db)) {
    await db.transaction().execute(async (trx) => {
      const plan = await findPreview(trx, id, 'gone');
      // Whether the plan was made before the operator changed the action in the supplier's settings.
      const isOther = plan?.gone.automatic && plan.run === null && plan.gone.action !== action;
      if (!plan || isOther) return planGoneProducts(trx, id, { action, keys: null, automatic: true });
      const changes = decodeGoneSums(plan.sums).some(({ end }) => end === plan.gone.action);
      if (plan.gone.automatic && changes && plan.previewed_at !== null && plan.run === null)
        return carryOutGonePlan(trx, id, plan.id);
    });
  }
}
