import { type Logger, pino } from 'pino';
import pretty, { prettyFactory } from 'pino-pretty';
import { redactError } from './redact-error.ts';

export type { Logger };

const prettyOptions = { ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' };

/**
 * The logger of a process: one JSON line per entry on stdout, or readable lines with `pretty`, which is only for
 * terminals (`process.stdout.isTTY`). Logged errors contain no contents of rows.
 */
export function createLogger(options: { name: string; level: string; pretty: boolean }): Logger {
  const { name, level } = options;
  const serializers = { err: redactError };
  if (!options.pretty) return pino({ name, level, serializers });
  return pino({ name, level, serializers }, pretty(prettyOptions));
}

/** Makes lines of processes readable: log entries like `pretty`, others with the process's name before them. */
export function prettyLines(): (name: string, line: string) => string {
  const format = prettyFactory(prettyOptions);
  return (name, line) => (line.startsWith('{"level":') ? format(line).trimEnd() : `${name}: ${line}`);
}
