import { createRequire } from 'node:module';
import { getStatementName } from '@draftshelf/core/connection/prepared';
import type { Processor } from 'bullmq';
import { createPostgresBackend, Queue, type QueueOptions, Worker, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import pg from 'pg';
import type { QueueConnection } from './queue-connection.ts';

type Close = { close(): Promise<void> };
type Reports = { on(event: 'error', listener: (error: Error) => void): unknown };

export type ChunkQueue = Pick<Queue, 'add' | 'addBulk' | 'getJobState' | 'getJobCounts'> & Reports & Close;

export type ChunkWorker = { waitUntilReady(): Promise<unknown> } & Reports & Close;

/** Opens a queue for adding and inspecting jobs. `close` also closes its connections. */
export function createQueue(
  connection: QueueConnection,
  name: string,
  options: Omit<QueueOptions, 'connection'> = {},
): Queue {
  if (connection.backend === 'postgres') {
    const queue = new Queue(
      name,
      { ...options, connection: postgresOptions(connection) },
      createPostgresBackend,
    );
    // Both types are of the same class. They differ only in the kind of connection, which no caller uses.
    return queue as unknown as Queue;
  }
  const redis = connectRedis(connection.url);
  return closingWith(new Queue(name, { ...options, connection: redis }), redis);
}

/**
 * With these values, a killed worker's job comes back after 6–8 s. With a lock of 10 s, checked every 5 s, it took up
 * to 15 s. Postgres decides which chunk is dead, so `maxStalledCount` is high. Without `runRetryDelay`, BullMQ would
 * ask for jobs again only 15 s after an error of its backend.
 */
const workerOptions = {
  ...{ lockDuration: 6000, stalledInterval: 2000, maxStalledCount: 50 },
  runRetryDelay: 1000,
};

/** Starts a worker. `close` waits for its active jobs, then closes its connections. */
export function createWorker(
  connection: QueueConnection,
  name: string,
  processor: Processor,
  options: Pick<WorkerOptions, 'concurrency'>,
): ChunkWorker {
  if (connection.backend === 'postgres') {
    return new Worker(
      name,
      processor,
      { ...workerOptions, ...options, connection: postgresOptions(connection) },
      createQuietBackend,
    );
  }
  const redis = connectRedis(connection.url);
  return closingWith(new Worker(name, processor, { ...workerOptions, ...options, connection: redis }), redis);
}

/** Limits the connections per worker to `poolMax`. pg's default allows 11. */
function postgresOptions({ connectionString, poolMax = 2 }: { connectionString: string; poolMax?: number }) {
  return { connectionString, max: poolMax, migrate: true, keepAlive: true, Client: PreparingClient };
}

/** Prepares BullMQ's statements, because BullMQ repeats the same few: four for each look for work. */
class PreparingClient extends pg.Client {
  override query(...call: unknown[]): never {
    const [text, values, ...others] = call;
    const isPlanned = typeof text === 'string' && Array.isArray(values) && values.length > 0;
    const statement = isPlanned ? { name: getStatementName(text), text } : text;
    return Reflect.apply(super.query, this, [statement, values, ...others]) as never;
  }
}

/** Searches for stalled jobs only while a job is active, because each search writes and many queues are often idle. */
const createQuietBackend: typeof createPostgresBackend = (...options) => {
  const backend = createPostgresBackend(...options);
  const lookForStalled = backend.moveStalledJobsToWait.bind(backend);
  backend.moveStalledJobsToWait = async () => {
    const [active = 0] = await backend.getCounts(['active']);
    return active > 0 ? lookForStalled() : [];
  };
  return backend;
};

/** Loaded on demand, because loading takes 5 % of a worker's start and only Redis needs the library. */
const loadRedis = (): typeof import('ioredis') => createRequire(import.meta.url)('ioredis');

/** BullMQ's workers need `maxRetriesPerRequest: null`, so that they wait for Redis to come back instead of failing. */
function connectRedis(url: string): Redis {
  const redis = new (loadRedis().Redis)(url, { maxRetriesPerRequest: null });
  redis.on('error', () => {}); // BullMQ reports the same error on the queue or worker
  return redis;
}

/** Closes a connection with its queue or worker: BullMQ closes only connections that it has created itself. */
function closingWith<T extends Close>(user: T, redis: Redis): T {
  const closeUser = user.close.bind(user);
  user.close = async (...args: []) => {
    await closeUser(...args);
    redis.disconnect();
  };
  return user;
}

/** Makes a cheap call of the queue's backend and throws its errors. The caller sets the time-out. */
export async function pingQueue(queue: ChunkQueue): Promise<void> {
  await queue.getJobCounts('waiting');
}
