import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { requestPeriodicTasks } from '@draftshelf/core/work/background-tasks';
import type { Tallies } from '@draftshelf/domain/operate/tallies';
import type { TaskQueue } from '@draftshelf/domain/work/task-catalog';
import type { Logger } from '@draftshelf/runtime/logger';
import type { ChunkQueue } from './connection.ts';
import { createRelayAndSweep } from './loop.ts';
import { ChunkPayload } from './pipeline.ts';
import type { QueueConnection } from './queue-connection.ts';
import { type JobQueue, relayTasks } from './relay.ts';
import { runTask } from './run-chunk.ts';
import { listServedTaskKinds, type ServedHandlers } from './run-task.ts';
import { sweepTasks, watchUnheldJobs } from './sweep.ts';

/** Time after which a job that no process holds is published again. */
const unheldMsMax = 10_000;
/** Concurrent tasks. They mostly wait for Postgres, a store or a folder. */
const tasksAtOnce = 32;

type Delivery = {
  queue: JobQueue & Pick<ChunkQueue, 'getJobState'>;
  close(): Promise<unknown>;
};

/** Starts the delivery of jobs to `perform`. */
export type DeliveryStarter = (
  perform: (data: unknown) => Promise<void>,
  logger: Logger,
) => Promise<Delivery>;

/** Delivers jobs through a queue. The library takes 15 MB of memory, so it is loaded only for the first job. */
export const deliverByQueue =
  (connection: QueueConnection, name: TaskQueue): DeliveryStarter =>
  async (perform, logger) => {
    const { createQueue, createWorker } = await import('./connection.ts');
    const few = { ...connection, poolMax: 1 };
    const queue = createQueue(few, name);
    const options = { concurrency: tasksAtOnce };
    const worker = createWorker(few, name, (job) => perform(job.data), options);
    for (const one of [queue, worker])
      one.on('error', (err) => logger.warn({ err }, 'The queue of tasks reports a problem'));
    return { queue, close: () => Promise.all([worker.close(), queue.close()]) };
  };

/** Delivers jobs within this process, even while the queue is unavailable. */
export const deliverInProcess: DeliveryStarter = async (perform, logger) => {
  const running = new Map<string, Promise<void>>();
  const add: JobQueue['add'] = async (_name, data, { jobId = '' } = {}) => {
    if (running.has(jobId)) return;
    const ended = perform(data)
      .catch((err) => logger.warn({ err }, 'A task is delivered again'))
      .finally(() => running.delete(jobId));
    running.set(jobId, ended);
  };
  return {
    queue: {
      add,
      addBulk: (jobs) => Promise.all(jobs.map(({ name, data, opts }) => add(name, data, opts))),
      getJobState: async (jobId) => (running.has(jobId) ? 'active' : 'unknown'),
    },
    close: () => Promise.all(running.values()),
  };
};

/** Publishes, runs and republishes the background tasks of a process. Opens the queue for the first task. */
export function createTaskRunner(options: {
  /** The id that this process has reported. */
  processId: string;
  handlers: ServedHandlers;
  deliver: DeliveryStarter;
  database: Pick<OpenDatabase, 'db'>;
  logger: Logger;
  tallies: Tallies;
}) {
  const { processId, handlers, database, logger, tallies } = options;
  const stopping = new AbortController();
  const running = new Set<{ id: number; ended: Promise<void> }>();
  let delivery: Promise<Delivery> | undefined;
  let hasBegun = false;

  const perform = async (data: unknown) => {
    const payload = ChunkPayload.parse(data);
    const deps = { database, logger, tallies, processId, signal: stopping.signal };
    const entry = { id: payload.chunkId, ended: runTask(payload, handlers, deps) };
    running.add(entry);
    try {
      await entry.ended;
    } finally {
      running.delete(entry);
      relay.wake();
    }
  };
  const open = async () => {
    delivery ??= options.deliver(perform, logger).catch((error) => {
      delivery = undefined;
      throw error;
    });
    return (await delivery).queue;
  };
  const unheld = watchUnheldJobs(unheldMsMax);
  const isRunning = (id: number) => [...running].some((entry) => entry.id === id);
  const work = {
    async relay() {
      if (!hasBegun) await requestPeriodicTasks(database.db, listServedTaskKinds(handlers));
      hasBegun = true;
      await relayTasks(database, open, handlers);
    },
    sweep: () => sweepTasks(database, open, { handlers, processId, isRunning, unheld }),
  };
  const relay = createRelayAndSweep(work, logger);
  return {
    /** Runs due tasks, and waits for their end. */
    async runDue() {
      await work.sweep();
      await work.relay();
      await Promise.allSettled([...running].map(({ ended }) => ended));
    },
    start: relay.start,
    wake: relay.wake,
    /** Aborts running tasks and waits until they have ended. Other processes continue them. */
    async stop() {
      stopping.abort(new Error('The process stops'));
      // Both close concurrently: without Redis, the relay waits for Redis until its queue is closed.
      await Promise.all([relay.stop(), delivery?.then((opened) => opened.close())]);
      await Promise.allSettled([...running].map(({ ended }) => ended));
    },
  };
}
