import { canDo } from '@draftshelf/domain/imports/import-status';
import type { PlanSettings } from '@draftshelf/domain/push/push-plan';
import { readPreferences } from '../../access/preferences.ts';
import { readSettings } from '../../access/settings.ts';
import type { Db } from '../../connection/database.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { type ActionResult, refusedIn } from '../../imports/action-result.ts';
import { changeImport, lockImport } from '../../imports/imports.ts';
import { lastEdit } from '../../review/commands/stored-edits.ts';
import { blockedBy } from '../../work/blocking.ts';
import { currentRows } from '../../work/runs.ts';
import { dropDeadTasks, dropTasks, enqueueTask, hasOpenTask } from '../../work/tasks.ts';
import { insertPreview } from '../previews/previews.ts';

/** Begins to plan the push of an import, replacing its earlier plan. In its own transaction. */
export async function beginPlan(db: Db, id: string): Promise<ActionResult> {
  const record = await lockImport(db, id);
  if (!record || !canDo('plan', record.status)) return refusedIn(record);
  if (record.status === 'failed' && record.failed_in !== 'push') return refusedIn(record);
  const reason = await blockedBy(db, record, 'plan');
  if (reason !== undefined) return { ok: false, reason };
  if (await hasOpenTask(db, id, 'plan-push')) {
    return { ok: false, reason: 'The push is being planned already. Wait until that has ended.' };
  }
  const rows = currentRows(record);
  await dropDeadTasks(db, id, 'plan-push');
  await insertPreview(db, {
    ...{ import_id: id, kind: 'push', rows_run: rows.run },
    made_from: storableJson(await readPlanSettings(db)),
    last_edit: await lastEdit(db, id),
  });
  await enqueueTask(db, rows, 'plan-push', record.product_numbers);
  const changed = await changeImport(db, id, {});
  return { ok: true, import: changed ?? record };
}

export async function readPlanSettings(db: Db): Promise<PlanSettings> {
  const { draftMode } = await readSettings(db);
  const { whenInStore, sendNonOverlapping } = await readPreferences(db);
  return { draftMode, whenInStore, sendNonOverlapping };
}

/** Ends the plan being made, because a push changes its input. The import is locked. */
export async function stopPlan(db: Db, id: string): Promise<void> {
  await dropDeadTasks(db, id, 'plan-push');
  await dropTasks(db, id, ['plan-push']);
}
