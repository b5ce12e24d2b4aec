import { stdSerializers } from 'pino';

/** What the log tells of an error. */
type ToldError = { type: string; message: string; stack: string } & Record<string, unknown>;

/** What else is told. Not pg's detail, where and internalQuery: they quote the row that failed. */
const kept = ['code', 'statusCode', 'table', 'column', 'constraint'];

/** Postgres' data exceptions, whose message quotes the value that it cannot read. */
const dataException = /^22/;
const quoted = /".*"/s;
const causesMax = 10;

/** An error as the log may tell it, with its causes: nothing of it holds contents of rows. */
export function tellError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = stdSerializers.err(error);
  const told: ToldError = { type, message, stack };
  for (const cause of causesOf(error)) {
    if (!dataException.test(String(cause.code))) continue;
    const withoutValue = cause.message.replace(quoted, '"…"');
    told.message = told.message.replaceAll(cause.message, withoutValue);
    told.stack = told.stack.replaceAll(cause.message, withoutValue);
  }
  for (const key of kept) {
    const value: unknown = Reflect.get(error, key);
    if (value !== undefined) told[key] = value;
  }
  if (error instanceof AggregateError) told.errors = error.errors.map(tellError);
  return told;
}

function causesOf(error: Error): (Error & { code?: unknown })[] {
  const chain: Error[] = [];
  for (let at: unknown = error; at instanceof Error && chain.length < causesMax; at = at.cause)
    chain.push(at);
  return chain;
}
