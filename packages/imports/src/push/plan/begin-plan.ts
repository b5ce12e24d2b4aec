import { readPreferences } from '@draftshelf/database/access/preferences';
import { readSettings } from '@draftshelf/database/access/settings';
import type { Db } from '@draftshelf/database/connection/database';
import { storableJson } from '@draftshelf/database/connection/storable-json';
import { changeImport, lockImport } from '@draftshelf/database/imports/imports';
import { insertPreview } from '@draftshelf/database/push/previews/previews';
import { lastEdit } from '@draftshelf/database/review/commands/stored-edits';
import { currentRows } from '@draftshelf/database/work/runs';
import { dropDeadTasks, dropTasks, enqueueTask, hasOpenTask } from '@draftshelf/database/work/tasks';
import { canDo } from '@draftshelf/domain/imports/import-status';
import type { PlanSettings } from '@draftshelf/domain/push/push-plan';
import { type ActionResult, refusedIn } from '../../action-result.ts';
import { blockedBy } from '../../blocking.ts';

/** Begins to plan the push of an import, in place of its earlier plan. Call it in a transaction of its own. */
export async function beginPlan(db: Db, id: string): Promise<ActionResult> {
  const record = await lockImport(db, id);
  if (!record || !canDo('plan', record.status)) return refusedIn(record);
  if (record.status === 'failed' && record.failed_in !== 'push') return refusedIn(record);
  const reason = await blockedBy(db, id, 'plan');
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

/** The settings with which a push would begin now. */
export async function readPlanSettings(db: Db): Promise<PlanSettings> {
  const { draftMode } = await readSettings(db);
  const { whenInStore, sendNonOverlapping } = await readPreferences(db);
  return { draftMode, whenInStore, sendNonOverlapping };
}

/** Ends the plan that is being made: a push goes first, and changes what the plan looks at. The import is locked. */
export async function stopPlan(db: Db, id: string): Promise<void> {
  await dropDeadTasks(db, id, 'plan-push');
  await dropTasks(db, id, ['plan-push']);
}
