import { dropTasks, enqueueTask } from '@draftshelf/database/chunks/tasks';
import type { Db } from '@draftshelf/database/connection/database';
import { beginCoverage, forgetCoverage } from '@draftshelf/database/enrich/coverage';
import { removeFoundOf } from '@draftshelf/database/enrich/found-values';
import { removeOpenProposalsOf } from '@draftshelf/database/enrich/proposals';
import type { ImportRecord } from '@draftshelf/database/schema';

/**
 * Removes from all imports what simulated sources have found, in the caller's transaction, which holds the sources: from
 * its end on, nothing of it can be pushed. A task per import then counts and searches its products again. What the
 * operator has taken is an edit and stays.
 */
export async function forgetSimulated(db: Db, sources: readonly string[]): Promise<void> {
  if (sources.length === 0) return;
  await removeOpenProposalsOf(db, sources);
  for (const { id, rows_run, total_rows } of await removeFoundOf(db, sources)) {
    await enqueueTask(db, { import_id: id, run: rows_run }, 'look-up-anew', total_rows);
  }
}

/** Begins to count the coverage of an import again, in place of tasks that have counted a part of it. */
export async function recountCoverage(db: Db, { id, rows_run }: ImportRecord): Promise<void> {
  await dropTasks(db, id, ['look-up-products', 'look-up-again']);
  await forgetCoverage(db, id);
  await beginCoverage(db, { import_id: id, run: rows_run });
}
