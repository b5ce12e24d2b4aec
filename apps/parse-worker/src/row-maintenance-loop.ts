import type { OpenDatabase } from '@draftshelf/database/connection/database';
import { removeOrphanRows } from '@draftshelf/database/rows/orphan-rows';
import {
  fillSearch,
  hasTrigramIndex,
  removeObsoleteRows,
  SearchNotFilled,
} from '@draftshelf/database/rows/row-maintenance';
import type { Logger } from '@draftshelf/runtime/logger';

const lookEveryMs = 2000;
const orphansEveryMs = 10 * 60 * 1000;

/**
 * Fills the search of processed imports, removes rows that a newer run has replaced and, every ten minutes, rows of
 * deleted imports, batch by batch for as long as the process runs. `stop` ends it after the current batch.
 */
export function startRowMaintenance(database: OpenDatabase, logger: Logger): { stop(): Promise<void> } {
  let stopped = false;
  let wake = () => {};
  /** Imports that could not be filled are skipped until the process restarts. */
  const skipped = new Set<string>();
  let orphansDueAt = 0;
  const removeOrphans = async () => {
    if (performance.now() < orphansDueAt) return 0;
    orphansDueAt = performance.now() + orphansEveryMs;
    const removed = await removeOrphanRows(database);
    if (removed > 0) orphansDueAt = 0;
    return removed;
  };
  const tasks = [() => fillSearch(database, skipped), () => removeObsoleteRows(database), removeOrphans];
  const runTasks = async () => {
    for (const work of tasks) {
      while (!stopped && (await work()) > 0);
    }
  };
  const report = (err: unknown) => {
    if (err instanceof SearchNotFilled) skipped.add(err.importId);
    logger.warn({ err }, 'Row maintenance failed and continues with the rest');
  };
  const run = async () => {
    await warnWithoutIndex(database, logger);
    while (!stopped) {
      await runTasks().catch(report);
      if (stopped) break;
      const pause = Promise.withResolvers<void>();
      const timer = setTimeout(pause.resolve, lookEveryMs);
      wake = pause.resolve;
      await pause.promise;
      clearTimeout(timer);
    }
  };
  const running = run();
  return {
    stop() {
      stopped = true;
      wake();
      return running;
    },
  };
}

async function warnWithoutIndex({ db }: OpenDatabase, logger: Logger): Promise<void> {
  const found = await hasTrigramIndex(db).catch(() => true);
  if (!found) logger.warn('No trigram index (pg_trgm and btree_gin): a search reads all texts of an import');
}
