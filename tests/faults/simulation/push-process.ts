import { openDatabase } from '@draftshelf/core/connection/database';
import { reportThisProcess } from '@draftshelf/core/work/report-process';
import { createTallies } from '@draftshelf/domain/operate/tallies';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { loop } from '@draftshelf/queues/loop';
import { ChunkPayload } from '@draftshelf/queues/pipeline';
import { relayOnce } from '@draftshelf/queues/relay';
import { runChunk } from '@draftshelf/queues/run-chunk';
import { createSlots } from '@draftshelf/queues/slots';
import { sweepOnce, watchUnheldJobs } from '@draftshelf/queues/sweep';
import type { Logger } from '@draftshelf/runtime/logger';
import type { PlainFetch } from '@draftshelf/runtime/plain-fetch';
import { createPushStep } from '../../../apps/push-worker/src/push-step.ts';
import { accessToken, apiVersion } from '../../store/start-store.ts';
import { createActor, runAs } from './actor.ts';
import type { createQueueDouble } from './queue-double.ts';
import type { Scheduler } from './scheduler.ts';

const slotsCount = 2;
/** Longer than in the product, because most of a run would otherwise be rounds that find nothing. */
const [relayEveryMs, sweepEveryMs, lookEveryMs] = [2000, 4000, 1000];
const unheldMsMax = 10_000;

export type PushProcessDeps = {
  scheduler: Scheduler;
  databaseUrl: string;
  storeUrl: string;
  storage: ObjectStorage;
  jobs: ReturnType<typeof createQueueDouble>;
  fetch: PlainFetch;
};

/**
 * A push worker as an actor: what startWorker does for its process, without BullMQ and the LISTEN connection. Its
 * heartbeat, relay and sweep run by the simulated clock.
 */
export function startPushProcess(name: string, deps: PushProcessDeps) {
  const { scheduler, databaseUrl, storage, jobs, fetch } = deps;
  const actor = createActor(name);
  const log = (level: string) => (fields: { err?: Error }, message: string) => {
    scheduler.note(`${name} ${level}: ${message} ${fields.err?.message ?? ''}`);
  };
  const logger = {
    ...{ debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
  } as unknown as Logger;
  const start = async () => {
    const database = openDatabase({ connectionString: databaseUrl, applicationName: name, poolMax: 6 });
    const claims = openDatabase({
      ...{ connectionString: databaseUrl, applicationName: `${name}-claims`, poolMax: 1, keepIdle: true },
    });
    const tallies = createTallies();
    const store = { url: deps.storeUrl, apiVersion, credentials: { accessToken } };
    const env = { store, SHOPIFY_API_VERSION: apiVersion, IMAGE_HOSTS: [] };
    const step = createPushStep({ env, keys: null, database, storage, logger, tallies, fetch });
    const processId = idOf(name);
    const queues = new Map([['push' as const, jobs.queue]]);
    const onError = (err: unknown) => logger.warn({ err }, 'A loop failed');
    const relayAll = async () => {
      while ((await relayOnce(database, queues, 'push')) > 0);
    };
    const relay = loop(relayEveryMs, relayAll, onError);
    const unheld = watchUnheldJobs(unheldMsMax);
    const sweepAndRelay = async () => {
      if ((await sweepOnce(database, queues, { stage: 'push', processId, unheld })) > 0) relay.wake();
    };
    const sweep = loop(sweepEveryMs, sweepAndRelay, onError);
    const slots = createSlots(database.db, { stage: 'push', count: slotsCount });
    const look = loop(lookEveryMs, slots.look, onError);
    jobs.work(actor, slotsCount, async (data) => {
      const { signal } = new AbortController();
      const parts = { database, claims, logger, tallies, slots, processId, signal };
      await runChunk(ChunkPayload.parse(data), step, parts);
      relay.wake();
    });
    await reportThisProcess(database.db, {
      ...{ id: processId, kind: 'push-worker', version: '0.0.0', slots: slotsCount },
      onProblem: (err, sentence) => logger.warn({ err }, sentence),
      tallies,
    });
    for (const one of [relay, sweep, look]) one.start();
  };
  runAs(actor, () => void start().catch((error) => scheduler.note(`${name} cannot start: ${error.message}`)));
  return actor;
}

/** A process id that repeats with the seed. */
const idOf = (name: string) =>
  `00000000-0000-4000-8000-${Buffer.from(name).toString('hex').slice(-12).padStart(12, '0')}`;
