import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import { tellError } from './redact-error.ts';

export type { Logger };

/**
 * The logger of a process: one JSON line per entry on stdout, or readable lines where `pretty` is set, which is
 * right only where a person looks on (`process.stdout.isTTY`). What it tells of errors holds no contents of rows.
 */
export function createLogger(options: { name: string; level: string; pretty: boolean }): Logger {
  const { name, level } = options;
  const serializers = { err: tellError };
  if (!options.pretty) return pino({ name, level, serializers });
  return pino(
    { name, level, serializers },
    pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }),
  );
}
