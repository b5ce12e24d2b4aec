import { rm, writeFile } from 'node:fs/promises';
import { answerWithin } from './health.ts';
import type { Logger } from './logger.ts';

/** Something that the process cannot work without: asked for, and what asks it. */
export type HealthCheck = { asked: string; ask: () => Promise<unknown> };

/** Whoever looks on takes a file that is older than a few of these for bad health (docker-compose.yml: 20 s). */
const everyMs = 5_000;
const answerMsMax = 2_000;

/**
 * Health of a process without a port, for a container's health check: the file at `path` is written anew every 5 s
 * while all checks answer. It grows old when one does not, and when the event loop stands still or the process is gone.
 * Resolves after the first round; `stop` ends it and removes the file.
 *
 * @throws the system's error if the file cannot be written at the start
 */
export async function keepHealthFile(options: {
  path: string;
  checks: readonly HealthCheck[];
  logger: Logger;
}): Promise<{ stop(): Promise<void> }> {
  const { path, checks, logger } = options;
  const round = async () => {
    try {
      await Promise.all(checks.map(({ asked, ask }) => answerWithin(answerMsMax, asked, ask)));
    } catch (err) {
      logger.warn({ err }, 'not healthy');
      return;
    }
    await writeFile(path, `${new Date().toISOString()}\n`);
  };
  let timer: NodeJS.Timeout | undefined;
  let last = round();
  const wait = () => {
    timer = setTimeout(() => {
      last = round().catch((err) => logger.warn({ err }, 'The health file cannot be written'));
      void last.then(() => timer && wait());
    }, everyMs);
  };
  await last;
  wait();
  return {
    async stop() {
      clearTimeout(timer);
      timer = undefined;
      await last;
      await rm(path, { force: true });
    },
  };
}
