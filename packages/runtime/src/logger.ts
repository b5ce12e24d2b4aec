import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import { redactError } from './redact-error.ts';

export type { Logger };

/**
 * The logger of a process: one JSON line per entry on stdout, or readable lines with `pretty`, which is only for
 * terminals (`process.stdout.isTTY`). Logged errors contain no contents of rows.
 */
export function createLogger(options: { name: string; level: string; pretty: boolean }): Logger {
  const { name, level } = options;
  const serializers = { err: redactError };
  if (!options.pretty) return pino({ name, level, serializers });
  return pino(
    { name, level, serializers },
    pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }),
  );
}
