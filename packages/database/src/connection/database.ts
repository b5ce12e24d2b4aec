import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Schema } from '../schema.ts';

export type Db = Kysely<Schema> | Transaction<Schema>;

export type OpenDatabase = {
  db: Kysely<Schema>;
  pool: pg.Pool;
  close(): Promise<void>;
};

/** One pinned connection: queries through `db`, COPY through `client`; transactions by `db.transaction()`. */
export type PinnedConnection = { db: Kysely<Schema>; client: pg.PoolClient };

const int8Oid = 20;

/**
 * A transaction that says nothing for so long is ended by Postgres: its process is frozen, or waits for a queue that is
 * away, and whoever wants its locks (the relay's turn, an import's row) must not wait with it.
 */
const silentTransactionMsMax = 5_000;

/** bigint columns here are ids, byte offsets and versions below 2^53, so they are numbers in JavaScript. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === int8Oid) return (value: string) => Number(value);
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * Opens a pool of connections. `connectionString` is a postgres:// URL; `poolMax` connections at most.
 * Nothing connects until the first query, which throws when Postgres is not there.
 */
export function openDatabase(options: {
  connectionString: string;
  applicationName: string;
  poolMax?: number;
  /** Longest wait for a free connection, 10 s by default. */
  connectMsMax?: number;
  /** Longest wait for a lock; none by default. */
  lockMsMax?: number;
  /** Longest time that one statement may take; none by default. */
  statementMsMax?: number;
}): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    application_name: options.applicationName,
    max: options.poolMax ?? 5,
    connectionTimeoutMillis: options.connectMsMax ?? 10_000,
    keepAlive: true,
    idle_in_transaction_session_timeout: silentTransactionMsMax,
    ...(options.lockMsMax === undefined ? {} : { lock_timeout: options.lockMsMax }),
    ...(options.statementMsMax === undefined ? {} : { statement_timeout: options.statementMsMax }),
    types,
  });
  // A connection that ends between two statements of a transaction emits an error, which the next statement throws;
  // pg listens only while a connection is idle in the pool, and without a listener the process would end.
  pool.on('connect', (client) => client.on('error', markLost));
  // An idle connection that Postgres closes is replaced at the next query; without a listener it ends the process.
  pool.on('error', () => {});
  const { options: poolOptions } = pool;
  const connections = { connect: () => connectFrom(pool), end: () => pool.end(), options: poolOptions };
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: connections }) });
  // Kysely ends the pool only if it was used through Kysely.
  return { db, pool, close: () => pool.end() };
}

/**
 * Runs `work` on one connection of its own. The connection goes back to the pool, or is closed for good when
 * `work` throws, because a connection in an unknown state (a COPY cut off, a terminated backend) must not be used again.
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

/** Kysely speaks to pools; this one always hands out the same connection and never closes it. */
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

/** Set on errors of a connection to Postgres, which look like those of any other connection. */
const lostConnection = Symbol('lostConnection');

function markLost(error: Error): void {
  Object.defineProperty(error, lostConnection, { value: true });
}

async function connectFrom(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    // Not a wrong password or certificate: those stay.
    if (error instanceof Error && ('syscall' in error || error instanceof AggregateError)) markLost(error);
    throw error;
  }
}

/** SQLSTATEs of a database that is away, restarting, full, or ended this connection. */
const unavailableStates = /^(08|57P|53|25P03)/;
/** What pg and its pool say themselves of a connection that ended or never came. */
const unavailableMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client .* is not queryable)/;

const stateOf = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined;

const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

/**
 * Whether somebody else holds what a statement wanted to change, for longer than the connection waits: its lock, or all
 * connections of a pool whose transactions wait for locks.
 */
export function isBusy(error: unknown): boolean {
  const noFreeConnection = 'timeout exceeded when trying to connect';
  const state = stateOf(error);
  if (state === lockNotAvailable || state === deadlockDetected) return true;
  return error instanceof Error && error.message === noFreeConnection;
}

/** Whether a statement was ended by its time limit, or by a process that stops. */
export function isCancelledStatement(error: unknown): boolean {
  return stateOf(error) === '57014';
}

/**
 * Whether an error says that Postgres cannot be reached now, rather than that the statement was wrong. Of the errors of
 * sockets only those of our connections to Postgres: a store or a file that is away must not look like it.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return unavailableStates.test(error.code ?? '');
  return lostConnection in error || unavailableMessages.test(error.message);
}
