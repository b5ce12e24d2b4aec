import type { Processor } from 'bullmq';
import { createPostgresBackend, Queue, type QueueOptions, Worker, type WorkerOptions } from 'bullmq';
import { Redis } from 'ioredis';

/** Backend of BullMQ: Redis if there is a URL for it, else the Postgres database. */
export type QueueConnection =
  | { backend: 'redis'; url: string }
  | { backend: 'postgres'; connectionString: string };

export function queueConnection(options: {
  databaseUrl: string;
  redisUrl?: string | undefined;
}): QueueConnection {
  return options.redisUrl
    ? { backend: 'redis', url: options.redisUrl }
    : { backend: 'postgres', connectionString: options.databaseUrl };
}

/** pg's default allows 11 connections per worker. */
const poolMax = 2;

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
    // The same class: its type differs only by the kind of connection, which no caller needs.
    return queue as unknown as Queue;
  }
  const redis = connectRedis(connection.url);
  return closingWith(new Queue(name, { ...options, connection: redis }), redis);
}

/** Starts a worker. `close` waits for its active jobs, then closes its connections. */
export function createWorker(
  connection: QueueConnection,
  name: string,
  processor: Processor,
  options: Omit<WorkerOptions, 'connection'>,
): ChunkWorker {
  if (connection.backend === 'postgres') {
    return new Worker(
      name,
      processor,
      { ...options, connection: postgresOptions(connection) },
      createQuietBackend,
    );
  }
  const redis = connectRedis(connection.url);
  return closingWith(new Worker(name, processor, { ...options, connection: redis }), redis);
}

function postgresOptions(connection: { connectionString: string }) {
  return { connectionString: connection.connectionString, max: poolMax, keepAlive: true, migrate: true };
}

/** Each look for stalled jobs writes, so it is left out while no job is active: many queues are idle for long. */
const createQuietBackend: typeof createPostgresBackend = (...options) => {
  const backend = createPostgresBackend(...options);
  const lookForStalled = backend.moveStalledJobsToWait.bind(backend);
  backend.moveStalledJobsToWait = async () => {
    const [active = 0] = await backend.getCounts(['active']);
    return active > 0 ? lookForStalled() : [];
  };
  return backend;
};

/** BullMQ's workers need maxRetriesPerRequest null: they wait for Redis to come back instead of failing. */
function connectRedis(url: string): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  redis.on('error', () => {}); // BullMQ reports the same error on the queue or worker
  return redis;
}

/** BullMQ closes only the connections that it has created itself. */
function closingWith<T extends Close>(user: T, redis: Redis): T {
  const closeUser = user.close.bind(user);
  user.close = async (...args: []) => {
    await closeUser(...args);
    redis.disconnect();
  };
  return user;
}

/** Calls the queue's backend cheaply and throws its errors; the caller sets the time-out. */
export async function pingQueue(queue: ChunkQueue): Promise<void> {
  await queue.getJobCounts('waiting');
}

/** Number of jobs of a queue by state. Throws the errors of the backend; the caller sets the time-out. */
export async function countJobs(queue: ChunkQueue): Promise<Record<string, number>> {
  return queue.getJobCounts();
}
