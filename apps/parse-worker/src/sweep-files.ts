import type { OpenDatabase } from '@draftshelf/database/connection/database';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import type { Logger } from '@draftshelf/runtime/logger';
import { removeLeftOvers } from './remove-left-overs.ts';

const hourMs = 60 * 60 * 1000;

/**
 * Removes files that belong to no import and are older than `olderThan`: at start, since a worker may restart more
 * often than every hour, and then hourly. `stop` ends it after the current file.
 */
export function sweepFiles(
  database: OpenDatabase,
  storage: ObjectStorage,
  options: { olderThan: () => Date; logger: Logger },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const sweep = () =>
    removeLeftOvers(database, storage, { olderThan: options.olderThan(), signal: stopping.signal }).catch(
      (err) => options.logger.warn({ err }, 'Left-over files stay until the next sweep'),
    );
  let running: Promise<unknown> = sweep();
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
