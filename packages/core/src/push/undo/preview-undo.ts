import { canDo } from '@draftshelf/domain/imports/import-status';
import type { WhenUnsure } from '@draftshelf/domain/push/push-undo';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { type ActionRefused, type ActionResult, refusedIn } from '../../imports/action-result.ts';
import { changeImport, lockImport } from '../../imports/imports.ts';
import { blockedBy } from '../../work/blocking.ts';
import { currentRows } from '../../work/runs.ts';
import { dropDeadTasks, dropTasks, enqueueTask } from '../../work/tasks.ts';
import { insertPreview } from '../previews/previews.ts';
import { findUndoablePush } from '../previews/push-undos.ts';
import { hasHeldPush } from '../sending.ts';
import { isUndoing, stopUndo } from './end-undo.ts';

const nothingToUndo: ActionRefused = {
  ok: false,
  reason:
    'This import has no push that can be undone. A push that wrote products can be undone for 90 days, and once.',
};
const stillSending: ActionRefused = {
  ok: false,
  reason: 'The last products of the push are still being sent. Try again in a moment.',
};

/** Locks an import whose push can be undone now. `isRefused`: what else speaks against it. */
export async function lockUndoable(
  db: Db,
  id: string,
  isRefused: (record: ImportRecord) => boolean = () => false,
): Promise<ActionResult> {
  const record = await lockImport(db, id);
  if (!record || !canDo('undoPush', record.status) || isRefused(record)) return refusedIn(record);
  const reason = await blockedBy(db, record, 'undoPush');
  if (reason !== undefined) return { ok: false, reason };
  return (await hasHeldPush(db, id)) ? stillSending : { ok: true, import: record };
}

/** Begins to preview the undo of a push run, by default the last possible one, in its own transaction. */
export async function previewUndo(
  db: Db,
  id: string,
  { run, whenUnsure }: { run?: number | undefined; whenUnsure: WhenUnsure },
): Promise<ActionResult> {
  const locked = await lockUndoable(db, id);
  if (!locked.ok) return locked;
  const push = await findUndoablePush(db, id, run);
  if (!push) return nothingToUndo;
  // A failed undo is given up once nothing speaks against the preview of its remainder.
  const record = isUndoing(locked.import) ? await stopUndo(db, locked.import) : locked.import;
  await stopUndoPreview(db, id);
  await insertPreview(db, {
    ...{ import_id: id, kind: 'undo', shop: push.shop, undoes_run: push.run },
    ...{ made_at_run: record.push_run, when_unsure: whenUnsure },
  });
  await enqueueTask(db, currentRows(record), 'plan-undo');
  await changeImport(db, id, {});
  return { ok: true, import: record };
}

/** Ends the preview being made. The import is locked. */
export async function stopUndoPreview(db: Db, id: string): Promise<void> {
  await dropDeadTasks(db, id, 'plan-undo');
  await dropTasks(db, id, ['plan-undo']);
}
