import type { Stage } from '@draftshelf/domain/imports/stages';
import { autoRetryPausesMs } from '@draftshelf/domain/work/auto-retry';
import { readSettings } from '../access/settings.ts';
import type { Db } from '../connection/database.ts';
import { type ActionRefused, type ActionResult, wrongStatus } from '../imports/action-result.ts';
import { changeImport, findImport, lockImport } from '../imports/imports.ts';
import { countAutoRetry, lockDueForRetry, readRetries, stopRetries } from './auto-retries.ts';
import { retryImport } from './import-actions.ts';

/**
 * With the setting Auto-retry, retries imports whose stage failed because chunks were out of attempts. An import that
 * stopped for a named cause, such as a refused token, or that was cancelled is not retried.
 */
export async function retryDue(db: Db, stage: Stage): Promise<void> {
  const { autoRetry } = await readSettings(db);
  if (!autoRetry) return;
  for (const run of await lockDueForRetry(db, stage, autoRetryPausesMs)) {
    await countAutoRetry(db, run);
    await retryImport(db, run.import_id);
  }
}

const noneDue: ActionRefused = { ok: false, reason: 'No retry is due.' };

/** 'Don’t Retry': a failed import is not retried by itself any more, until it fails in another run. */
export async function stopAutoRetry(db: Db, id: string): Promise<ActionResult> {
  const record = await lockImport(db, id);
  if (!record) return wrongStatus;
  const retry = (await readRetries(db, [record])).get(id);
  if (!retry || retry.nextRetryAt === null) return noneDue;
  await stopRetries(db, record);
  await changeImport(db, id, {});
  const stopped = await findImport(db, id);
  return stopped ? { ok: true, import: stopped } : wrongStatus;
}
