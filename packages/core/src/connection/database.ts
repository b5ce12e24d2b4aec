import { storableText } from '@draftshelf/domain/base/storable-text';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { noteConnectError } from './connect-problem.ts';
import { withName } from './prepared.ts';
import { queryValue } from './query-rows.ts';
import type { Schema } from './schema.ts';
import { storableJson } from './storable-json.ts';

export type Db = Kysely<Schema> | Transaction<Schema>;

export type OpenDatabase = {
  db: Kysely<Schema>;
  pool: pg.Pool;
  close(): Promise<void>;
};

/** One connection: queries through `db`, COPY through `client`; transactions by `db.transaction()`. */
export type PinnedConnection = { db: Kysely<Schema>; client: pg.PoolClient };

const int8Oid = 20;

/** Postgres ends transactions that are idle this long: others wait for locks of a frozen or waiting process. */
const idleTransactionMsMax = 5_000;

/** Idle connections are closed after this time. A new one costs as much as a hundred statements. */
const idleConnectionMsMax = 60_000;

/** bigint columns here are ids, byte offsets and versions below 2^53, so they are numbers in JavaScript. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === int8Oid) return (value: string) => Number(value);
    return pg.types.getTypeParser(oid, format);
  },
};

/** Opens a pool; nothing connects until the first query, which throws when Postgres is unavailable. */
export function openDatabase(options: {
  connectionString: string;
  applicationName: string;
  poolMax?: number;
  /** Idle connections stay open. */
  keepIdle?: boolean;
  /** Longest wait for a free connection, 10 s by default. */
  connectMsMax?: number;
  lockMsMax?: number;
  statementMsMax?: number;
}): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    application_name: options.applicationName,
    max: options.poolMax ?? 5,
    connectionTimeoutMillis: options.connectMsMax ?? 10_000,
    keepAlive: true,
    idleTimeoutMillis: options.keepIdle ? 0 : idleConnectionMsMax,
    idle_in_transaction_session_timeout: idleTransactionMsMax,
    ...(options.lockMsMax === undefined ? {} : { lock_timeout: options.lockMsMax }),
    ...(options.statementMsMax === undefined ? {} : { statement_timeout: options.statementMsMax }),
    types,
    Client: StorableClient,
  });
  // A connection that ends inside a transaction emits an error, and the next statement throws it. pg listens only while
  // it is idle in the pool; without a listener the process would exit.
  pool.on('connect', (client) => client.on('error', markLost));
  // An idle connection that Postgres closes is replaced at the next query. Without a listener the process would exit.
  pool.on('error', () => {});
  const { options: poolOptions } = pool;
  const connections = { connect: () => connectFrom(pool), end: () => pool.end(), options: poolOptions };
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: connections }) });
  // Kysely ends the pool only if it was used through Kysely.
  return { db, pool, close: () => pool.end() };
}

/**
 * Runs `work` on a connection of its own, which then returns to the pool. If `work` throws, the connection is closed:
 * one in an unknown state (an interrupted COPY, a terminated backend) must not be used again.
 */
export async function onPinnedConnection<T>(
  database: Pick<OpenDatabase, 'pool'>,
  work: (connection: PinnedConnection) => Promise<T>,
): Promise<T> {
  const client = await connectFrom(database.pool);
  let failed = true;
  try {
    const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: poolOfOne(client) }) });
    const result = await work({ db, client });
    failed = false;
    return result;
  } finally {
    client.release(failed);
  }
}

/** Kysely expects a pool. */
function poolOfOne(client: pg.PoolClient) {
  return {
    connect: async () => ({
      query: client.query.bind(client) as pg.PoolClient['query'],
      release: () => {},
    }),
    end: async () => {},
    options: {},
  };
}

/** Marks errors of a connection to Postgres, which look like those of any other connection. */
const lostConnection = Symbol('lostConnection');

function markLost(error: Error): void {
  Object.defineProperty(error, lostConnection, { value: true });
}

async function connectFrom(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    noteConnectError(error);
    // A wrong password or certificate is not a lost connection.
    if (error instanceof Error && ('syscall' in error || error instanceof AggregateError)) markLost(error);
    throw error;
  }
}

/** SQLSTATEs of a database that is unavailable, restarting, full, or that ended this connection. */
const unavailableStates = /^(08|57P|53|25P03)/;
/** Messages of pg and its pool about a connection that ended or was never made. */
const unavailableMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client .* is not queryable)/;

const stateOf = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined;

/** SQLSTATEs of a lock that is not available, a deadlock, and a serialization failure. */
const busyStates = /^(55P03|40P01|40001)$/;

/** Whether a statement lost against a concurrent one, or waited too long for a lock or a free connection. */
export function isBusy(error: unknown): boolean {
  const noFreeConnection = 'timeout exceeded when trying to connect';
  if (busyStates.test(stateOf(error) ?? '')) return true;
  return error instanceof Error && error.message === noFreeConnection;
}

/** Whether a statement was cancelled by its time limit, or by a process that stops. */
export function isCancelledStatement(error: unknown): boolean {
  return stateOf(error) === '57014';
}

const refusals: Record<string, string> = {
  '53100': 'The database’s disk is full. Free some space on it.',
  '53200': 'The database is out of memory. Give it more, or run fewer workers.',
  '53300': 'The database has no free connections. Raise its max_connections, or run fewer workers.',
  '57P03': 'The database is starting. It’s ready in a moment.',
};

/** One sentence for operators if Postgres said why it refuses to work; undefined if it is just unavailable. */
export function refusalSentence(error: unknown): string | undefined {
  return refusals[stateOf(error) ?? ''];
}

/** Whether an error means that Postgres is unavailable. Socket errors count only from connections to Postgres. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return unavailableStates.test(error.code ?? '');
  return lostConnection in error || unavailableMessages.test(error.message);
}

/** Like isDatabaseUnavailable, but false for a pool without a free connection, which proves nothing. */
export const isDatabaseRefusal = (error: unknown): boolean => isDatabaseUnavailable(error) && !isBusy(error);

/** Sends only storable texts and objects: one NUL would fail all rows of a statement. */
class StorableClient extends pg.Client {
  override query(...call: unknown[]): never {
    const [config, values, ...others] = call;
    const stored = Array.isArray(values) ? storableParameters(values) : values;
    return Reflect.apply(super.query, this, [
      withStorableValues(withName(config)),
      stored,
      ...others,
    ]) as never;
  }
}

export function storableParameters(values: readonly unknown[]): unknown[] {
  return values.map(storableParameter);
}

function storableParameter(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return storableParameters(value);
  if (ArrayBuffer.isView(value) || value instanceof Date) return value;
  return storableJson(value);
}

/** pg also accepts a statement as an object with its values; a COPY is an object without any. */
function withStorableValues(config: unknown): unknown {
  if (typeof config !== 'object' || config === null || !('values' in config)) return config;
  return Array.isArray(config.values) ? { ...config, values: storableParameters(config.values) } : config;
}

/** Runs several reads in one snapshot. The transaction is read-only, so it never needs a retry. */
export function readConsistently<T>(db: OpenDatabase['db'], read: (trx: Db) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

/** Like readConsistently. When the signal aborts, the running statement is cancelled, and this throws. */
export async function readUntilAborted<T>(
  db: OpenDatabase['db'],
  signal: AbortSignal,
  read: (trx: Db) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  return readConsistently(db, async (trx) => {
    const pid = await queryValue<number>(trx)`select pg_backend_pid() as pid`;
    let cancelled: Promise<unknown> = Promise.resolve();
    const cancel = () => {
      cancelled = sql`select pg_cancel_backend(${pid})`.execute(db).catch(() => {});
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      signal.throwIfAborted();
      return await read(trx);
    } finally {
      signal.removeEventListener('abort', cancel);
      // Only then may the connection return to the pool: otherwise another request's statement would be cancelled.
      await cancelled;
    }
  });
}
