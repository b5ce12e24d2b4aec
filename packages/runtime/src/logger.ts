import { createRequire } from 'node:module';
import { type Logger, pino, stdSerializers } from 'pino';
import type * as PinoPretty from 'pino-pretty';

export type { Logger };

/** Loaded on demand, because pino-pretty is used only in terminals. */
const loadPretty = (): typeof PinoPretty => createRequire(import.meta.url)('pino-pretty');

const prettyOptions = { ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' };

/** Returns a logger of JSON lines, or of readable lines if `pretty`. Logged errors contain no contents of rows. */
export function createLogger(options: { name: string; level: string; pretty: boolean }): Logger {
  const { name, level } = options;
  const serializers = { err: redactError };
  if (!options.pretty) return pino({ name, level, serializers });
  return pino({ name, level, serializers }, loadPretty().default(prettyOptions));
}

/** Returns a function that formats a line of a process: log entries like `pretty`, other text as 'name: text'. */
export function createLineFormatter(): (name: string, line: string) => string {
  const format = loadPretty().prettyFactory(prettyOptions);
  return (name, line) => (line.startsWith('{"level":') ? format(line).trimEnd() : `${name}: ${line}`);
}

type RedactedError = { type: string; message: string; stack: string } & Record<string, unknown>;

/** Logged fields of errors. pg's detail, where and internalQuery are omitted, because they quote the failed row. */
const kept = ['code', 'statusCode', 'table', 'column', 'constraint'];

/** Class of Postgres error codes whose message quotes an invalid value (data exceptions). */
const dataException = /^22/;
const quoted = /".*"/s;
const causesMax = 10;

/** Converts an error and its causes for the log, without contents of rows. */
export function redactError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = stdSerializers.err(error);
  const redacted: RedactedError = { type, message, stack };
  for (const cause of causesOf(error)) {
    if (!dataException.test(String(cause.code))) continue;
    const withoutValue = cause.message.replace(quoted, '"…"');
    redacted.message = redacted.message.replaceAll(cause.message, withoutValue);
    redacted.stack = redacted.stack.replaceAll(cause.message, withoutValue);
  }
  for (const key of kept) {
    const value: unknown = Reflect.get(error, key);
    if (value !== undefined) redacted[key] = value;
  }
  if (error instanceof AggregateError) redacted.errors = error.errors.map(redactError);
  return redacted;
}

function causesOf(error: Error): (Error & { code?: unknown })[] {
  const chain: Error[] = [];
  for (let at: unknown = error; at instanceof Error && chain.length < causesMax; at = at.cause)
    chain.push(at);
  return chain;
}
