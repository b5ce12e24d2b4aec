import {
  isBusy,
  isCancelledStatement,
  isDatabaseUnavailable,
  type OpenDatabase,
} from '@draftshelf/database/connection/database';
import { beginDueAudit, doAuditPart, endAudit } from '@draftshelf/database/operate/audit/audits';
import type { Logger } from '@draftshelf/runtime/logger';

/** How soon an audit begins that an operator asks for. */
const lookEveryMs = 10_000;
const tookTooLong = 'Comparing took too long. The database is busy, or its statistics are old: run analyze.';
const failed =
  'Comparing failed because of an internal error. Keep the log of the parse worker (“The audit broke off”), and ' +
  'report it as a fault.';

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
      if (isDatabaseUnavailable(err) || isBusy(err)) {
        logger.warn({ err }, 'The audit goes on at its next look');
        return;
      }
      logger.error({ err }, 'The audit broke off');
      await endAudit(db, isCancelledStatement(err) ? tookTooLong : failed).catch(() => {});
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
