import type { OpenDatabase } from '@draftshelf/database/connect';
import { fillSearch, hasTrigramIndex, removeObsoleteRows } from '@draftshelf/database/row-upkeep';
import type { Logger } from '@draftshelf/runtime/logger';

const lookEveryMs = 2000;

/**
 * Fills the search of imports that have been processed and removes rows that a newer run has replaced, batch by batch,
 * for as long as the process runs. `stop` ends it after the batch that it is at.
 */
export function keepRows(database: OpenDatabase, logger: Logger): { stop(): Promise<void> } {
  let stopped = false;
  let wake = () => {};
  const turn = async () => {
    for (const work of [fillSearch, removeObsoleteRows]) {
      while (!stopped && (await work(database)) > 0);
    }
  };
  const run = async () => {
    await warnWithoutIndex(database, logger);
    while (!stopped) {
      await turn().catch((err) => logger.warn({ err }, 'The upkeep of rows will try again'));
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
  if (!found) logger.warn('The database has no pg_trgm and btree_gin: a search reads all texts of an import');
}
