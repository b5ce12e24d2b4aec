import type { OpenDatabase } from '@draftshelf/database/connection/database';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import type { Logger } from '@draftshelf/runtime/logger';
import { removeLeftOvers } from './remove-left-overs.ts';

const hourMs = 60 * 60 * 1000;

/**
 * Removes what interrupted uploads have left over: at start, since a worker may restart more often than every hour, and
 * then hourly. `stop` ends it after the current upload.
 */
export function sweepFiles(
  database: OpenDatabase,
  storage: ObjectStorage,
  logger: Logger,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const sweep = async () => {
    try {
      const removed = await removeLeftOvers(database, storage, { signal: stopping.signal });
      if (removed > 0) logger.info({ removed }, 'Removed files of interrupted uploads');
    } catch (err) {
      logger.warn({ err }, 'Left-over files stay until the next sweep');
    }
  };
  let running = sweep();
  const timer = setInterval(() => {
    running = sweep();
  }, hourMs);
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
