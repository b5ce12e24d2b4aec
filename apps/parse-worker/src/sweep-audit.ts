import { beginDueAudit, doAuditPart, endAudit } from '@draftshelf/database/audit/audits';
import { isCancelledStatement, type OpenDatabase } from '@draftshelf/database/connection/database';
import type { Logger } from '@draftshelf/runtime/logger';

/** How soon an audit begins that an operator asks for. */
const lookEveryMs = 10_000;
const tookTooLong = 'Comparing took too long. The database is busy, or its statistics are old: run analyze.';

/**
 * Compares counters, outcomes, ledger and listings once a day, part by part, in one parse worker at a time. `stop` ends
 * it after the current part; any parse worker goes on with it.
 */
export function sweepAudit({ db }: OpenDatabase, logger: Logger): { stop(): Promise<void> } {
  let stopped = false;
  const look = async () => {
    try {
      await beginDueAudit(db);
      while (!stopped && (await doAuditPart(db)));
    } catch (err) {
      logger.warn({ err }, 'The audit goes on at its next look');
      if (isCancelledStatement(err)) await endAudit(db, tookTooLong).catch(() => {});
    }
  };
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= look().finally(() => {
      running = undefined;
    });
  }, lookEveryMs);
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
