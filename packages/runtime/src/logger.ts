import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export type { Logger };

/**
 * The logger of a process: one JSON line per entry on stdout, or readable lines where `pretty` is set, which is
 * right only where a person looks on (`process.stdout.isTTY`).
 */
export function createLogger(options: { name: string; level: string; pretty: boolean }): Logger {
  const { name, level } = options;
  if (!options.pretty) return pino({ name, level });
  return pino({ name, level }, pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }));
}
