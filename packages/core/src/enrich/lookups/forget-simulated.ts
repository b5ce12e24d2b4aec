import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { removeOpenProposalsOf } from '../../review/proposals/proposals.ts';
import { currentRows, markLacking } from '../../work/runs.ts';
import { dropTasks, enqueueTask } from '../../work/tasks.ts';
import { beginCoverage, forgetCoverage } from '../coverage.ts';
import { removeFoundOf } from '../found-values.ts';

/** Removes values of simulated sources; the caller has locked the sources, so none is pushed after its commit. */
export async function forgetSimulated(db: Db, sources: readonly string[]): Promise<void> {
  if (sources.length === 0) return;
  await removeOpenProposalsOf(db, sources);
  for (const record of await removeFoundOf(db, sources)) {
    await markLacking(db, currentRows(record), true);
    await enqueueTask(db, currentRows(record), 'look-up-anew', record.total_rows);
  }
}

/** Starts the coverage of an import from zero, and drops the tasks that have counted a part of it. */
export async function recountCoverage(db: Db, record: ImportRecord): Promise<void> {
  await dropTasks(db, record.id, ['look-up-products', 'look-up-again']);
  await forgetCoverage(db, record.id);
  await beginCoverage(db, currentRows(record));
}
