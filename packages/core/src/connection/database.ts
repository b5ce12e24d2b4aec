import { toStorableText } from '@draftshelf/domain/base/storable-text';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { noteConnectError } from './connect-problem.ts';
import { toNamedStatement } from './prepared.ts';
import { queryValue } from './query-rows.ts';
import type { Schema } from './schema.ts';
import { storableJson } from './storable-json.ts';

export type Db = Kysely<Schema> | Transaction<Schema>;

export type OpenDatabase = {
  db: Kysely<Schema>;
  pool: pg.Pool;
  close(): Promise<void>;
};

/** A single connection: `db` for queries and `db.transaction()`, `client` for COPY. */
export type PinnedConnection = { db: Kysely<Schema>; client: pg.PoolClient };

const int8Oid = 20;

/** Postgres ends transactions that are idle for this long, so that a frozen process does not keep its locks. */
const idleTransactionMsMax = 5_000;

/** Idle connections are closed after this time. Opening a connection costs as much as a hundred statements. */
const idleConnectionMsMax = 60_000;

/** Parses bigint as a number, because the schema's bigint columns are ids, offsets and versions below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === int8Oid) return (value: string) => Number(value);
    return pg.types.getTypeParser(oid, format);
  },
};

/** Opens a pool. It connects at the first query, which throws if Postgres is unavailable. */
export function openDatabase(options: {
  connectionString: string;
  applicationName: string;
  poolMax?: number;
  /** Whether idle connections stay open instead of being closed after `idleConnectionMsMax`. */
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
  // If a connection ends inside a transaction, it emits an error, and the next statement throws that error. pg listens
  // only while the connection is idle in the pool. Without this listener, the process would exit.
  pool.on('connect', (client) => client.on('error', markLost));
  // If Postgres closes an idle connection, the pool opens a new one later. Without a listener, the process would exit.
  pool.on('error', () => {});
  const { options: poolOptions } = pool;
  const connections = { connect: () => connectFrom(pool), end: () => pool.end(), options: poolOptions };
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: connections }) });
  // `close` does not use Kysely, because Kysely ends the pool only if Kysely has run a query.
  return { db, pool, close: () => pool.end() };
}

/**
 * Runs `work` on a connection of its own, which then returns to the pool. If `work` throws, the connection is closed,
 * because its state is unknown (an interrupted COPY, a terminated backend).
 */
export async function withPinnedConnection<T>(
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

/** Wraps one connection as the pool that Kysely expects. */
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

/** Marks errors of connections to Postgres, because errors of other sockets look the same. */
const lostConnection = Symbol('lostConnection');

function markLost(error: Error): void {
  Object.defineProperty(error, lostConnection, { value: true });
}

async function connectFrom(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    noteConnectError(error);
    // Only socket errors are marked: a wrong password or certificate does not mean that the connection was lost.
    if (error instanceof Error && ('syscall' in error || error instanceof AggregateError)) markLost(error);
    throw error;
  }
}

/** SQLSTATEs of a database that is unavailable, restarting or full, or that ended this connection. */
const unavailableStates = /^(08|57P|53|25P03)/;
/** Messages of pg and its pool about a connection that ended or was never made. */
const unavailableMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client .* is not queryable)/;

const stateOf = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined;

/** SQLSTATEs of an unavailable lock, a deadlock, and a serialization failure. */
const busyStates = /^(55P03|40P01|40001)$/;

/** Whether a statement failed because of a concurrent statement, or waited too long for a lock or a free connection. */
export function isBusyError(error: unknown): boolean {
  const noFreeConnection = 'timeout exceeded when trying to connect';
  if (busyStates.test(stateOf(error) ?? '')) return true;
  return error instanceof Error && error.message === noFreeConnection;
}

/** Whether a statement was cancelled by its time limit, or because the process is stopping. */
export function isCancelledStatement(error: unknown): boolean {
  return stateOf(error) === '57014';
}

const refusals: Record<string, string> = {
  '53100': 'The database’s disk is full. Free some space on it.',
  '53200': 'The database is out of memory. Give it more, or run fewer workers.',
  '53300': 'The database has no free connections. Raise its max_connections, or run fewer workers.',
  '57P03': 'The database is starting. It’s ready in a moment.',
};

/** Returns why Postgres refuses to work, as a sentence for operators. Undefined if Postgres gave no reason. */
export function describeRefusal(error: unknown): string | undefined {
  return refusals[stateOf(error) ?? ''];
}

/** Whether an error means that Postgres is unavailable. A socket error counts only if `markLost` has marked it. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return unavailableStates.test(error.code ?? '');
  return lostConnection in error || unavailableMessages.test(error.message);
}

/** Like isDatabaseUnavailable, but false if the pool has no free connection, because Postgres may be available. */
export const isDatabaseRefusal = (error: unknown): boolean =>
  isDatabaseUnavailable(error) && !isBusyError(error);

/** A client that replaces characters Postgres cannot store, because a single NUL would fail the whole statement. */
class StorableClient extends pg.Client {
  override query(...call: unknown[]): never {
    const [config, values, ...others] = call;
    const stored = Array.isArray(values) ? toStorableParameters(values) : values;
    return Reflect.apply(super.query, this, [
      withStorableValues(toNamedStatement(config)),
      stored,
      ...others,
    ]) as never;
  }
}

export function toStorableParameters(values: readonly unknown[]): unknown[] {
  return values.map(storableParameter);
}

function storableParameter(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return toStorableParameters(value);
  if (ArrayBuffer.isView(value) || value instanceof Date) return value;
  return storableJson(value);
}

/** Replaces unstorable characters in a statement passed as an object. The object of a COPY has no values. */
function withStorableValues(config: unknown): unknown {
  if (typeof config !== 'object' || config === null || !('values' in config)) return config;
  return Array.isArray(config.values) ? { ...config, values: toStorableParameters(config.values) } : config;
}

/** Runs several reads in one snapshot. The transaction is read-only, so it never fails to serialize. */
export function readInSnapshot<T>(db: OpenDatabase['db'], read: (trx: Db) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

/** Like readInSnapshot, but if the signal aborts, cancels the running statement and throws. */
export async function readUntilAborted<T>(
  db: OpenDatabase['db'],
  signal: AbortSignal,
  read: (trx: Db) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  return readInSnapshot(db, async (trx) => {
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
      // The connection returns to the pool after the cancel, which could otherwise hit another request's statement.
      await cancelled;
    }
  });
}
