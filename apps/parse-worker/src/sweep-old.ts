import { readPreferences } from '@draftshelf/database/access/preferences';
import type { OpenDatabase } from '@draftshelf/database/connection/database';
import { removeOldEntries } from '@draftshelf/database/operate/retention/old-entries';
import { type Retention, removeOld } from '@draftshelf/imports/operate/remove-old';
import type { Logger } from '@draftshelf/runtime/logger';

const hourMs = 60 * 60 * 1000;

/**
 * Removes what has been kept long enough, at start and every hour: begins removals of rows, search texts and files, and
 * removes old entries of tables that only grow, part by part. `set`: what the environment says instead of the
 * preferences. `stop` ends it after the current part.
 */
export function sweepOld(
  database: OpenDatabase,
  set: Partial<Retention>,
  logger: Logger,
): { stop(): Promise<void> } {
  let stopped = false;
  const sweep = async () => {
    try {
      const retention = { ...(await readPreferences(database.db)), ...set };
      while (!stopped && (await removeOld(database, retention)) > 0);
      while (!stopped && (await removeOldEntries(database)) > 0);
    } catch (err) {
      logger.warn({ err }, 'What has been kept long enough stays until the next sweep');
    }
  };
  let running = sweep();
  const timer = setInterval(() => {
    running = running.then(sweep);
  }, hourMs);
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
