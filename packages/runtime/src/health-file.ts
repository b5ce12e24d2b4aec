import { rm, writeFile } from 'node:fs/promises';
import { callWithTimeout } from './answer-within.ts';
import type { Logger } from './logger.ts';

export type HealthCheck = { asked: string; ask: () => Promise<unknown> };

/** Runs all checks at once. Throws the first failure. A check without an answer within 2 s fails, too. */
export const runHealthChecks = (checks: readonly HealthCheck[]): Promise<unknown> =>
  Promise.all(checks.map(({ asked, ask }) => callWithTimeout(answerMsMax, asked, ask)));

/** Interval of writes. Readers treat a file older than a few intervals as unhealthy (docker-compose.yml: 20 s). */
const everyMs = 5_000;
const answerMsMax = 2_000;

/**
 * Writes a file every 5 s while all checks succeed, so that the file gets old if a check fails, the event loop is
 * blocked or the process ends. Resolves after the first round. Throws if the file cannot be written. `stop` removes
 * the file.
 */
export async function keepHealthFile(options: {
  path: string;
  checks: readonly HealthCheck[];
  logger: Logger;
}): Promise<{ stop(): Promise<void> }> {
  const { path, checks, logger } = options;
  const round = async () => {
    try {
      await runHealthChecks(checks);
    } catch (err) {
      logger.warn({ err }, 'not healthy');
      return;
    }
    await writeFile(path, `${new Date().toISOString()}\n`);
  };
  await round();
  let last = Promise.resolve();
  const timer = setInterval(() => {
    last = round().catch((err) => logger.warn({ err }, 'could not write the health file'));
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await last;
      await rm(path, { force: true });
    },
  };
}
