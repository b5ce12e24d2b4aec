import type { Stage } from '@draftshelf/domain/imports/stages';
import { concurrencyDefaults, type EnvOf } from '@draftshelf/runtime/env-catalog';
import type { ShutdownStep } from '@draftshelf/runtime/shutdown';
import { chooseQueueConnection } from './queue-connection.ts';
import type { StageWork } from './run-chunk.ts';
import { startWorker } from './start-worker.ts';
import { openProcessDeps, type ProcessDeps, type ProcessEnv, serveUntilStop } from './task-process.ts';

const stepMsMax = 35_000;
/** Connections for relay, sweep and heartbeat, in addition to those of chunks. */
const connectionsBeside = 3;

type MadeStep = { step: StageWork; ends?: ShutdownStep[] };

/** Runs a worker process until it is asked to stop. `makeStep` returns the stage's work and the shutdown steps. */
export async function runWorkerProcess(options: {
  stage: Stage;
  env: ProcessEnv & EnvOf<'REDIS_URL' | 'CONCURRENCY' | 'RETRY_BASE_MS'>;
  /** Connections for the statements of all chunks if their claims share one connection. If absent, one per chunk. */
  poolMax?: number;
  makeStep(parts: ProcessDeps): MadeStep | Promise<MadeStep>;
}): Promise<void> {
  const { stage, env } = options;
  const concurrency = env.CONCURRENCY ?? concurrencyDefaults[stage];
  const poolMax = options.poolMax ?? concurrency + connectionsBeside;
  const parts = await openProcessDeps(`${stage}-worker`, env, { poolMax });
  const { database, logger, tallies, metrics } = parts;
  const { step, ends = [] } = await options.makeStep(parts);
  const worker = await startWorker({
    step,
    database,
    databaseUrl: env.DATABASE_URL,
    connection: chooseQueueConnection({ databaseUrl: env.DATABASE_URL, redisUrl: env.REDIS_URL }),
    concurrency,
    retryBaseMs: env.RETRY_BASE_MS,
    logger,
    tallies,
    onChunk: metrics.observeChunk,
  });
  await serveUntilStop(parts, env, {
    checks: [{ asked: 'The queue', ask: () => worker.ping() }],
    steps: [{ name: 'worker', run: () => worker.close() }, ...ends],
    ...{ stepMsMax, ready: { concurrency } },
  });
}
