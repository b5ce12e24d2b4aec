import { randomUUID } from 'node:crypto';
import { isDatabaseRefusal, type OpenDatabase, openDatabase } from '@draftshelf/core/connection/database';
import { listen } from '@draftshelf/core/connection/listen';
import { attemptsMax } from '@draftshelf/core/work/claim-chunk';
import { chunksChannel } from '@draftshelf/core/work/notify-chunks';
import { reportThisProcess } from '@draftshelf/core/work/report-process';
import { callsPerProcess } from '@draftshelf/core/work/tasks';
import type { Tallies } from '@draftshelf/domain/operate/tallies';
import { type QueueName, queuesOf } from '@draftshelf/domain/work/task-catalog';
import type { Logger } from '@draftshelf/runtime/logger';
import type { ChunkEnd } from '@draftshelf/runtime/metrics';
import { endProcess } from '@draftshelf/runtime/shutdown';
import { readVersion } from '@draftshelf/runtime/version';
import { createQueue, createWorker, pingQueue, type QueueConnection } from './connection.ts';
import { loop } from './loop.ts';
import { ChunkPayload } from './pipeline.ts';
import { relayOnce } from './relay.ts';
import { createTaskRunner } from './run-background.ts';
import { runChunk, type StageWork } from './run-chunk.ts';
import { createSlots } from './slots.ts';
import { sweepOnce, watchUnheld } from './sweep.ts';

/** `ping` throws when the queue does not answer; the caller sets the time-out. */
export type RunningWorker = { ping(): Promise<void>; close(): Promise<void> };

/** NOTIFY wakes the relay; it also runs at least this often. */
const relayEveryMs = 1000;
const sweepEveryMs = 2000;
const lookForWaitingEveryMs = 250;

/**
 * With these a killed worker's job comes back after 6–8 s; a lock of 10 s, checked every 5 s, took up to 15 s.
 * Postgres decides what is dead, so BullMQ must not give up a job because its workers were killed.
 */
const stallOptions = { lockDuration: 6000, stalledInterval: 2000, maxStalledCount: 50 };

/** A job without a worker is re-published after this time, or after the longest pause between two attempts. */
const unheldMsMax = 10_000;
const longestPauses = 2 ** (attemptsMax - 2) + 1;

/** After this a lock wait of a task that calls a service gives the shared connection to others. */
const callsLockMsMax = 500;

/** After an error of its backend BullMQ would otherwise ask for jobs again only after 15 s. */
const runRetryDelay = 1000;

/**
 * Runs a stage: reports it, takes its jobs, relays and sweeps its chunks. Resolves when the queue is connected.
 * `close` releases what has not begun, waits for the rest, and closes all connections but `database`.
 */
export async function startWorker(options: {
  step: StageWork;
  connection: QueueConnection;
  database: OpenDatabase;
  databaseUrl: string;
  concurrency: number;
  /** Pause after a chunk's first failed attempt; it doubles with each further one. */
  retryBaseMs: number;
  logger: Logger;
  tallies: Tallies;
  onChunk?: (end: ChunkEnd) => void;
}): Promise<RunningWorker> {
  const { step, database, logger, tallies } = options;
  const processId = randomUUID();
  const stopping = new AbortController();
  const report = (error: Error) => logger.warn({ err: error }, 'The queue reports a problem');
  const openQueue = (name: QueueName) => {
    const queue = createQueue(options.connection, name, {
      defaultJobOptions: { backoff: { type: 'exponential', delay: options.retryBaseMs } },
    });
    queue.on('error', report);
    return queue;
  };
  const queues = new Map(queuesOf(step.stage).map((name) => [name, openQueue(name)]));
  const claims = openDatabase({
    connectionString: options.databaseUrl,
    applicationName: `draftshelf-${step.stage}-claims`,
    poolMax: 1,
    keepIdle: true,
    ...('perform' in step && { lockMsMax: callsLockMsMax }),
  });

  const relay = loop(relayEveryMs, async () => {
    while ((await relayOnce(database, queues, step.stage)) > 0 && !stopping.signal.aborted);
  });
  const unheld = watchUnheld(Math.max(unheldMsMax, longestPauses * options.retryBaseMs));
  const sweep = loop(sweepEveryMs, async () => {
    const taken = await sweepOnce(database, queues, { stage: step.stage, processId, unheld });
    if (taken > 0) relay.wake();
    tallies.add('queue-repairs', taken);
  });
  relay.onError((error) => logger.warn({ err: error }, 'The relay failed and will retry'));
  sweep.onError((error) => logger.warn({ err: error }, 'The sweep failed and will retry'));
  const slots =
    'performOnPool' in step
      ? createSlots(database.db, { stage: step.stage, count: options.concurrency })
      : undefined;
  const lookForWaiting = slots && loop(lookForWaitingEveryMs, slots.look);
  lookForWaiting?.onError((error) => logger.warn({ err: error }, 'The imports that wait could not be read'));
  const listener = listen({
    connectionString: options.databaseUrl,
    applicationName: `draftshelf-${step.stage}-listen`,
    channel: chunksChannel,
    onNotify: (stage) => {
      if (stage === step.stage) relay.wake();
    },
    onProblem: (error) => logger.warn({ err: error }, 'The LISTEN connection was lost'),
  });

  const openWorker = (name: QueueName) => {
    const isOfStage = name === step.stage;
    const deps = {
      ...{ database, logger, tallies, onChunk: options.onChunk, slots, processId, signal: stopping.signal },
      claims: isOfStage && 'perform' in step ? undefined : claims,
    };
    const concurrency = isOfStage ? options.concurrency : callsPerProcess;
    const perform = async (job: { data: unknown }) => {
      await runChunk(ChunkPayload.parse(job.data), step, deps);
      relay.wake();
    };
    const worker = createWorker(options.connection, name, perform, {
      ...{ concurrency, runRetryDelay },
      ...stallOptions,
    });
    worker.on('error', report);
    return worker;
  };
  const workers = [...queues.keys()].map(openWorker);
  await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  // Before the relay starts: it publishes as many chunks as the reported slots need.
  const self = await reportThisProcess(database.db, {
    id: processId,
    kind: `${step.stage}-worker`,
    version: readVersion(),
    slots: options.concurrency,
    onProblem: (err, sentence) => {
      if (isDatabaseRefusal(err)) tallies.add('database-refusals');
      logger.warn({ err }, sentence);
    },
    onOtherSchema: endProcess(logger),
    tallies,
  });
  const { background: handlers } = step;
  const place = `${step.stage}-worker` as const;
  const tasks = handlers && createTaskRunner({ place, processId, handlers, database, logger });
  relay.start();
  sweep.start();
  lookForWaiting?.start();
  tasks?.start();

  return {
    ping: async () => void (await Promise.all([...queues.values()].map(pingQueue))),
    async close() {
      stopping.abort();
      await Promise.all([
        relay.stop(),
        sweep.stop(),
        lookForWaiting?.stop(),
        listener.close(),
        tasks?.stop(),
      ]);
      await Promise.all(workers.map((worker) => worker.close()));
      await self.stop();
      await Promise.all([...queues.values(), claims].map((one) => one.close()));
    },
  };
}
