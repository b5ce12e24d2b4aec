import { randomUUID } from 'node:crypto';
import { isDatabaseRefusal, type OpenDatabase } from '@draftshelf/core/connection/database';
import { listen } from '@draftshelf/core/connection/listen';
import { attemptsMax } from '@draftshelf/core/work/claim-chunk';
import { chunksChannel } from '@draftshelf/core/work/notify-chunks';
import { reportThisProcess } from '@draftshelf/core/work/report-process';
import type { Tallies } from '@draftshelf/domain/operate/tallies';
import type { Logger } from '@draftshelf/runtime/logger';
import type { ChunkEnd } from '@draftshelf/runtime/metrics';
import { endProcess } from '@draftshelf/runtime/shutdown';
import { readVersion } from '@draftshelf/runtime/version';
import { createQueue, createWorker, pingQueue, type QueueConnection } from './connection.ts';
import { loop } from './loop.ts';
import { ChunkPayload } from './pipeline.ts';
import { relayOnce } from './relay.ts';
import { startCalls } from './run-calls.ts';
import { runChunk, type StageWork } from './run-chunk.ts';
import { createTaskRunner } from './run-tasks.ts';
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
  claims?: OpenDatabase | undefined;
  databaseUrl: string;
  concurrency: number;
  /** Pause after a chunk's first failed attempt; it doubles with each further one. */
  retryBaseMs: number;
  logger: Logger;
  tallies: Tallies;
  onChunk?: (end: ChunkEnd) => void;
}): Promise<RunningWorker> {
  const { step, database, claims, logger, tallies } = options;
  const processId = randomUUID();
  const stopping = new AbortController();
  const queue = createQueue(options.connection, step.stage, {
    defaultJobOptions: { backoff: { type: 'exponential', delay: options.retryBaseMs } },
  });
  const report = (error: Error) => logger.warn({ err: error }, 'The queue reports a problem');
  queue.on('error', report);

  const relay = loop(relayEveryMs, async () => {
    while ((await relayOnce(database, queue, step.stage)) > 0 && !stopping.signal.aborted);
  });
  const unheld = watchUnheld(Math.max(unheldMsMax, longestPauses * options.retryBaseMs));
  const sweep = loop(sweepEveryMs, async () => {
    const taken = await sweepOnce(database, queue, { stage: step.stage, processId, unheld });
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
  let calls: ReturnType<typeof startCalls> | undefined;
  const listener = listen({
    connectionString: options.databaseUrl,
    applicationName: `draftshelf-${step.stage}-listen`,
    channel: chunksChannel,
    onNotify: (stage) => {
      if (stage !== step.stage) return;
      relay.wake();
      calls?.wake();
    },
    onProblem: (error) => logger.warn({ err: error }, 'The LISTEN connection was lost'),
  });

  const worker = createWorker(
    options.connection,
    step.stage,
    async (job) => {
      await runChunk(ChunkPayload.parse(job.data), step, {
        ...{ database, claims, logger, tallies, onChunk: options.onChunk, slots, processId },
        signal: stopping.signal,
      });
      relay.wake();
    },
    { concurrency: options.concurrency, runRetryDelay, ...stallOptions },
  );
  worker.on('error', report);
  await worker.waitUntilReady();
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
  const { leased: handlers } = step;
  const place = `${step.stage}-worker` as const;
  const tasks = handlers && createTaskRunner({ place, processId, handlers, database, logger });
  relay.start();
  sweep.start();
  lookForWaiting?.start();
  tasks?.start();
  calls =
    step.calls &&
    startCalls({
      ...{ stage: step.stage, calls: step.calls, database, databaseUrl: options.databaseUrl, processId },
      ...{ logger, tallies, retryBaseMs: options.retryBaseMs, signal: stopping.signal },
    });

  return {
    ping: () => pingQueue(queue),
    async close() {
      stopping.abort();
      await Promise.all([
        relay.stop(),
        sweep.stop(),
        lookForWaiting?.stop(),
        listener.close(),
        calls?.stop(),
        tasks?.stop(),
      ]);
      await worker.close();
      await self.stop();
      await queue.close();
    },
  };
}
