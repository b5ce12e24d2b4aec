import { chunksChannel } from '@draftshelf/database/chunks/notify-chunks';
import type { OpenDatabase } from '@draftshelf/database/connection/database';
import { listen } from '@draftshelf/database/connection/listen';
import type { Logger } from '@draftshelf/runtime/logger';
import { createQueue, createWorker, type QueueConnection } from './connection.ts';
import { pingQueue } from './ping.ts';
import { ChunkPayload, queueOf } from './pipeline.ts';
import { relayOnce } from './relay.ts';
import { reportThisProcess } from './report-process.ts';
import { runChunk, type StageWork } from './run-chunk.ts';
import { sweepOnce } from './sweep.ts';

/** `ping` throws when the queue does not answer; how long it may take is the caller's to say. */
export type RunningWorker = { ping(): Promise<void>; close(): Promise<void> };

/** The relay is woken by NOTIFY; it looks by itself at least this often. */
const relayEveryMs = 1000;
const sweepEveryMs = 2000;

/**
 * A killed worker's job comes back after 6–8 s with these (facts: 10/5 took up to 15 s). The ledger decides what
 * is dead, so BullMQ must not give a job up because its workers were killed.
 */
const stallOptions = { lockDuration: 6000, stalledInterval: 2000, maxStalledCount: 50 };

/** After an error of its backend BullMQ would ask for jobs again only after 15 s. */
const runRetryDelay = 1000;

/**
 * Runs a stage in this process: reports it, takes its jobs, and relays and sweeps its chunks. Resolves when the queue
 * is reached. `close` gives back what is not begun, waits for what is, and closes all connections but `database`.
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
}): Promise<RunningWorker> {
  const { step, database, logger } = options;
  const stopping = new AbortController();
  const name = queueOf(step.stage);
  const queue = createQueue(options.connection, name, {
    defaultJobOptions: { backoff: { type: 'exponential', delay: options.retryBaseMs } },
  });
  const report = (error: Error) => logger.warn({ err: error }, 'The queue reports a problem');
  queue.on('error', report);

  const relay = loop(relayEveryMs, async () => {
    while ((await relayOnce(database, queue, step.stage)) > 0 && !stopping.signal.aborted);
  });
  const sweep = loop(sweepEveryMs, async () => {
    const taken = await sweepOnce(database, queue, { stage: step.stage, processId: self.id });
    if (taken > 0) relay.wake();
  });
  relay.onError((error) => logger.warn({ err: error }, 'The relay will try again'));
  sweep.onError((error) => logger.warn({ err: error }, 'The sweep will try again'));
  const listener = listen({
    connectionString: options.databaseUrl,
    applicationName: `draftshelf-${step.stage}-listen`,
    channel: chunksChannel,
    onNotify: (stage) => stage === step.stage && relay.wake(),
    onProblem: (error) => logger.warn({ err: error }, 'The wake-up connection was lost'),
  });

  const worker = createWorker(
    options.connection,
    name,
    async (job) => {
      await runChunk(ChunkPayload.parse(job.data), step, { database, logger, signal: stopping.signal });
      relay.wake();
    },
    { concurrency: options.concurrency, runRetryDelay, ...stallOptions },
  );
  worker.on('error', report);
  await worker.waitUntilReady();
  // Before the relay looks: it publishes as many chunks as the slots that are known need.
  const self = await reportThisProcess(database, {
    kind: `${step.stage}-worker`,
    slots: options.concurrency,
    logger,
  });
  relay.start();
  sweep.start();

  return {
    ping: () => pingQueue(queue),
    async close() {
      stopping.abort();
      await Promise.all([relay.stop(), sweep.stop(), listener.close()]);
      await worker.close();
      await self.stop();
      await queue.close();
    },
  };
}

/** Runs `turn` at every wake-up and at least every `everyMs`, never twice at once; errors do not end it. */
function loop(everyMs: number, turn: () => Promise<unknown>) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = true;
  let onError: (error: unknown) => void = () => {};

  const wake = () => {
    if (stopped) return;
    if (running) {
      again = true;
      return;
    }
    clearTimeout(timer);
    running = turn()
      .then(() => {}, onError)
      .finally(() => {
        running = undefined;
        if (again) {
          again = false;
          wake();
        } else if (!stopped) timer = setTimeout(wake, everyMs);
      });
  };
  return {
    wake,
    onError: (listener: (error: unknown) => void) => {
      onError = listener;
    },
    start: () => {
      stopped = false;
      wake();
    },
    stop: async () => {
      stopped = true;
      again = false;
      clearTimeout(timer);
      await running;
    },
  };
}
