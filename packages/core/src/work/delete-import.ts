import { canDo } from '@draftshelf/domain/imports/import-status';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { abandonAsking } from '../enrich/ai/abandon-asking.ts';
import { type ActionResult, wrongStatus } from '../imports/action-result.ts';
import { changeImport, lockImport } from '../imports/imports.ts';
import { lockRows } from '../review/rows-lock.ts';
import { blockedBy } from './blocking.ts';
import { currentRows } from './runs.ts';
import { dropAllTasks, enqueueTask } from './tasks.ts';

/**
 * Begins to delete an import: a task removes its parts, and the import at the end. From now on nothing else is done
 * with it. What its pushes made stays in the store, and so do our records of it. Refused while the import works.
 */
export async function deleteImport(db: Db, id: string): Promise<ActionResult> {
  await lockRows(db, id);
  const record = await lockImport(db, id);
  if (!record || !canDo('delete', record.status)) return working;
  // Asked again: the task may be dead.
  const reason = record.deletion_began_at === null ? await blockedBy(db, id, 'delete') : undefined;
  if (reason !== undefined) return { ok: false, reason };
  await abandonAsking(db, id, 'The import is being deleted, so nothing more was asked.');
  await dropAllTasks(db, id);
  await changeImport(db, id, { deletion_began_at: sql`now()`, auto_push_at: null });
  await enqueueTask(db, currentRows(record), 'delete-import', record.total_rows);
  return { ok: true, import: { ...record, deletion_began_at: new Date() } };
}

const working = {
  ...wrongStatus,
  reason:
    'This import is being processed or pushed. Wait until that has ended, or cancel it, then delete it.',
};
