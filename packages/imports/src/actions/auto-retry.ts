import type { Db } from '@draftshelf/database/connection/database';
import { countAutoRetry, lockDueForRetry } from '@draftshelf/database/imports/auto-retries';
import { readSettings } from '@draftshelf/database/settings';
import type { Stage } from '@draftshelf/domain/stages';
import { retryImport } from './import-actions.ts';

const minuteMs = 60_000;
/** Pauses before the first, second and third retry. After a fourth failure, only the operator can retry. */
const pausesMs = [5 * minuteMs, 15 * minuteMs, 45 * minuteMs];

/**
 * With the setting Auto-retry, retries imports whose stage failed because chunks were out of attempts. An import that
 * stopped for a named cause, such as a refused token, or that was cancelled is not retried.
 */
export async function retryDue(db: Db, stage: Stage): Promise<void> {
  const { autoRetry } = await readSettings(db);
  if (!autoRetry) return;
  for (const run of await lockDueForRetry(db, stage, pausesMs)) {
    await countAutoRetry(db, run);
    await retryImport(db, run.import_id);
  }
}
