import { randomUUID } from 'node:crypto';
import { isDatabaseRefusal, type OpenDatabase, openDatabase } from '@draftshelf/core/connection/database';
import { listenForWork } from '@draftshelf/core/connection/listen';
import { attemptsMax } from '@draftshelf/core/work/claim-chunk';
import { reportThisProcess } from '@draftshelf/core/work/report-process';
import { callsPerProcessMax } from '@draftshelf/core/work/tasks';
import type { Tallies } from '@draftshelf/domain/operate/tallies';
import { listQueues, type QueueName } from '@draftshelf/domain/work/task-catalog';
import type { Logger } from '@draftshelf/runtime/logger';
import type { ChunkEnd } from '@draftshelf/runtime/metrics';
import { createProcessEnder } from '@draftshelf/runtime/shutdown';
import { readVersion } from '@draftshelf/runtime/version';
import { createQueue, createWorker, pingQueue } from './connection.ts';
import { createRelayAndSweep, loop } from './loop.ts';
import { ChunkPayload } from './pipeline.ts';
import type { QueueConnection } from './queue-connection.ts';
import { relayOnce } from './relay.ts';
import { runChunk, type StageWork } from './run-chunk.ts';
import { createSlots } from './slots.ts';
import { createTaskRunner, deliverByQueue } from './start-tasks.ts';
import { sweepOnce, watchUnheldJobs } from './sweep.ts';

/** `ping` throws if the queue does not answer. The caller sets the time-out. */
export type RunningWorker = { ping(): Promise<void>; close(): Promise<void> };

const lookForWaitingEveryMs = 250;

/** Time after which a job without a worker is published again, unless the longest pause between attempts is longer. */
const unheldMsMax = 10_000;
const longestPauses = 2 ** (attemptsMax - 2) + 1;

/** Lock time-out of tasks that call a service. It is short, because these tasks share a connection. */
const callsLockMsMax = 500;

/**
 * Runs a stage: reports the process, takes jobs, relays and sweeps chunks. Resolves when the queue is connected.
 * `close` releases chunks that have not begun, waits for the rest, and closes all connections except `database`.
 */
export async function startWorker(options: {
  step: StageWork;
  connection: QueueConnection;
  database: OpenDatabase;
  databaseUrl: string;
  concurrency: number;
  /** Pause after a chunk's first failed attempt. It doubles with each further attempt. */
  retryBaseMs: number;
  logger: Logger;
  tallies: Tallies;
  onChunk?: (end: ChunkEnd) => void;
}): Promise<RunningWorker> {
  const { step, database, logger, tallies } = options;
  const processId = randomUUID();
  const kind = `${step.stage}-worker` as const;
  const stopping = new AbortController();
  const report = (error: Error) => logger.warn({ err: error }, 'The queue reports a problem');
  const openQueue = (name: QueueName) => {
    const queue = createQueue(options.connection, name, {
      defaultJobOptions: { backoff: { type: 'exponential', delay: options.retryBaseMs } },
    });
    queue.on('error', report);
    return queue;
  };
  const queues = new Map(listQueues(step.stage).map((name) => [name, openQueue(name)]));
  const claims = openDatabase({
    connectionString: options.databaseUrl,
    applicationName: `draftshelf-${step.stage}-claims`,
    poolMax: 1,
    keepIdle: true,
    ...('perform' in step && { lockMsMax: callsLockMsMax }),
  });

  const unheld = watchUnheldJobs(Math.max(unheldMsMax, longestPauses * options.retryBaseMs));
  const work = {
    async relay() {
      while ((await relayOnce(database, queues, step.stage)) > 0 && !stopping.signal.aborted);
    },
    async sweep() {
      const taken = await sweepOnce(database, queues, { stage: step.stage, processId, unheld });
      tallies.add('queue-repairs', taken);
      return taken;
    },
  };
  const relay = createRelayAndSweep(work, logger);
  const slots =
    'performOnPool' in step
      ? createSlots(database.db, { stage: step.stage, count: options.concurrency })
      : undefined;
  const reportLook = (err: unknown) => logger.warn({ err }, 'The imports that wait could not be read');
  const lookForWaiting = slots && loop(lookForWaitingEveryMs, slots.look, reportLook);
  const openWorker = (name: QueueName) => {
    const isOfStage = name === step.stage;
    const deps = {
      ...{ database, logger, tallies, onChunk: options.onChunk, slots, processId, signal: stopping.signal },
      claims: isOfStage && 'perform' in step ? undefined : claims,
    };
    const concurrency = isOfStage ? options.concurrency : callsPerProcessMax;
    const perform = async (job: { data: unknown }) => {
      await runChunk(ChunkPayload.parse(job.data), step, deps);
      relay.wake();
    };
    const worker = createWorker(options.connection, name, perform, { concurrency });
    worker.on('error', report);
    return worker;
  };
  const workers = [...queues.keys()].map(openWorker);
  await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  // Reported before the relay starts, because the relay publishes chunks for the reported slots.
  const self = await reportThisProcess(database.db, {
    id: processId,
    kind,
    version: readVersion(),
    slots: options.concurrency,
    onProblem: (err, sentence) => {
      if (isDatabaseRefusal(err)) tallies.add('database-refusals');
      logger.warn({ err }, sentence);
    },
    onOtherSchema: createProcessEnder(logger),
    tallies,
  });
  const { background: handlers } = step;
  const deliver = deliverByQueue(options.connection, `${step.stage}-tasks`);
  const tasks = handlers && createTaskRunner({ processId, handlers, deliver, database, logger, tallies });
  const listener = listenForWork(kind, options, (name) => {
    if (name === step.stage) relay.wake();
    if (name === kind) tasks?.wake();
  });
  relay.start();
  lookForWaiting?.start();
  tasks?.start();

  return {
    ping: async () => void (await Promise.all([...queues.values()].map(pingQueue))),
    async close() {
      stopping.abort();
      await Promise.all([relay.stop(), lookForWaiting?.stop(), listener.close(), tasks?.stop()]);
      await Promise.all(workers.map((worker) => worker.close()));
      await self.stop();
      await Promise.all([...queues.values(), claims].map((one) => one.close()));
    },
  };
}
