import { sourceNames } from '@draftshelf/domain/enrich/sources';
import { lookupTasks } from '@draftshelf/domain/work/task-catalog';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { currentRows } from '../../work/runs.ts';
import { enqueueTask, hasOpenTask, wakeTasks } from '../../work/tasks.ts';
import { hasMissingFields, listIncompleteImports } from '../lacks.ts';
import { isImageCheckOn, listActiveSources } from '../sources.ts';

type LookedUpImport = Pick<ImportRecord, 'id' | 'rows_run' | 'enable_upc' | 'total_rows'>;

/** Enqueues look-up tasks if products of the import lack something: one per active source without an open task. */
export async function enqueueLookups(db: Db, record: LookedUpImport): Promise<void> {
  if (!record.enable_upc || !(await hasMissingFields(db, currentRows(record)))) return;
  const active = await listActiveSources(db);
  for (const source of sourceNames.filter((name) => active.includes(name))) {
    const task = lookupTasks[source];
    if (await hasOpenTask(db, record.id, task)) continue;
    await enqueueTask(db, currentRows(record), task);
  }
}

export async function enqueueImageCheck(db: Db, record: LookedUpImport): Promise<void> {
  if (!(await isImageCheckOn(db)) || (await hasOpenTask(db, record.id, 'check-images'))) return;
  await enqueueTask(db, currentRows(record), 'check-images', record.total_rows);
}

/** Enqueues look-ups after an edit. If `pictured`, the edit changed pictures, so their check is enqueued, too. */
export async function enqueueEditLookups(
  db: Db,
  record: LookedUpImport,
  { pictured }: { pictured: boolean },
): Promise<void> {
  await enqueueLookups(db, record);
  if (pictured) await enqueueImageCheck(db, record);
}

/** Enqueues look-ups of incomplete products after a sync of the store, which may now have products with their GTINs. */
export async function enqueueStoreLookups(db: Db): Promise<void> {
  for (const record of await listIncompleteImports(db, { inStore: true })) {
    if (await isBeingLookedUp(db, record.id)) continue;
    await enqueueTask(db, currentRows(record), 'look-up-again', record.total_rows);
  }
}

export const isBeingLookedUp = (db: Db, importId: string): Promise<boolean> =>
  hasOpenTask(db, importId, ['look-up-products', 'look-up-again']);

/** Continues all look-ups. Call it after a source or the setting is switched on, or a quota is raised. */
export async function resumeLookups(db: Db): Promise<void> {
  await wakeTasks(db, Object.values(lookupTasks));
  for (const record of await listIncompleteImports(db, { inStore: false })) await enqueueLookups(db, record);
}
