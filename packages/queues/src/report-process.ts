import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type ReportedProcess, removeProcess, reportProcess } from '@draftshelf/database/chunks/processes';
import type { OpenDatabase } from '@draftshelf/database/connection/database';
import type { Logger } from '@draftshelf/runtime/logger';
import { readVersion } from '@draftshelf/runtime/version';

const heartbeatEveryMs = 5_000;

/**
 * Reports this process in the table `processes` now and every 5 s, until `stop` removes it. An unavailable database is
 * only logged: the next heartbeat reports the process again. Resolves after the first report.
 */
export async function reportThisProcess(
  { db }: Pick<OpenDatabase, 'db'>,
  { logger, ...does }: Pick<ReportedProcess, 'kind' | 'slots' | 'tasks'> & { logger: Logger },
): Promise<{ id: string; stop(): Promise<void> }> {
  const self = { id: randomUUID(), version: readVersion(), host: hostname(), pid: process.pid, ...does };
  let beating: Promise<void> | undefined;
  const beat = () => {
    beating ??= reportProcess(db, self)
      .catch((err) => logger.warn({ err }, 'A heartbeat failed; the next one reports again'))
      .finally(() => {
        beating = undefined;
      });
    return beating;
  };
  await beat();
  const timer = setInterval(beat, heartbeatEveryMs);
  return {
    id: self.id,
    async stop() {
      clearInterval(timer);
      await beating;
      await removeProcess(db, self.id).catch((err) =>
        logger.warn({ err }, 'This process stays in the table until a sweep removes it'),
      );
    },
  };
}
