import type { OpenDatabase } from '@draftshelf/database/connection/database';
import { removeOrphanRows } from '@draftshelf/database/review/orphan-rows';
import type { Logger } from '@draftshelf/runtime/logger';

const sweepEveryMs = 10 * 60 * 1000;

/**
 * Removes the rows of deleted imports, at start and every ten minutes, batch by batch. `stop` ends it after the current
 * batch.
 */
export function sweepOrphanRows(database: OpenDatabase, logger: Logger): { stop(): Promise<void> } {
  let stopped = false;
  const sweep = async () => {
    try {
      while (!stopped && (await removeOrphanRows(database)) > 0);
    } catch (err) {
      logger.warn({ err }, 'Rows of deleted imports stay until the next sweep');
    }
  };
  let running = sweep();
  const timer = setInterval(() => {
    running = running.then(sweep);
  }, sweepEveryMs);
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
