import { type OpenDatabase, openDatabase } from '@draftshelf/core/connection/database';
import { waitForSchema } from '@draftshelf/core/work/wait-for-schema';
import type { Stage } from '@draftshelf/domain/imports/stages';
import { createTallies, type Tallies } from '@draftshelf/domain/operate/tallies';
import { concurrencyDefaults, type EnvOf } from '@draftshelf/runtime/env-catalog';
import { createLogger, type Logger } from '@draftshelf/runtime/logger';
import { createMetrics, type Metrics, serveProbes } from '@draftshelf/runtime/metrics';
import { onShutdown, type ShutdownStep, signalReady } from '@draftshelf/runtime/shutdown';
import { readVersion } from '@draftshelf/runtime/version';
import { queueConnection } from './connection.ts';
import type { StageWork } from './run-chunk.ts';
import { startWorker } from './start-worker.ts';

type WorkerEnv = EnvOf<
  | 'DATABASE_URL'
  | 'REDIS_URL'
  | 'CONCURRENCY'
  | 'RETRY_BASE_MS'
  | 'HEALTH_FILE'
  | 'LOG_LEVEL'
  | 'METRICS_PORT'
  | 'METRICS_HOST'
>;

const stepMsMax = 35_000;
/** Extra connections for relay, sweep and heartbeat. */
const connectionsBeside = 3;

type WorkerParts = { database: OpenDatabase; logger: Logger; tallies: Tallies; metrics: Metrics };
type MadeStep = { step: StageWork; ends?: ShutdownStep[] };

/** Runs a worker process until it is asked to stop. `makeStep` returns the stage's work and the shutdown steps. */
export async function runWorkerProcess(options: {
  stage: Stage;
  env: WorkerEnv;
  /** Connections for the statements of all chunks, whose claims share one; by default each chunk has its own. */
  poolMax?: number;
  makeStep(parts: WorkerParts): MadeStep | Promise<MadeStep>;
}): Promise<void> {
  const { stage, env } = options;
  const logger = createLogger({
    name: `${stage}-worker`,
    level: env.LOG_LEVEL,
    pretty: process.stdout.isTTY,
  });
  const concurrency = env.CONCURRENCY ?? concurrencyDefaults[stage];
  const database = openDatabase({
    connectionString: env.DATABASE_URL,
    applicationName: `draftshelf-${stage}`,
    poolMax: options.poolMax ?? concurrency + connectionsBeside,
  });
  await waitForSchema(database, { kind: `${stage}-worker`, version: readVersion() }, (waitsFor) =>
    logger.warn({ waitsFor }, 'The schema is not ready'),
  );
  const tallies = createTallies();
  const metrics = createMetrics(tallies);
  const { step, ends = [] } = await options.makeStep({ database, logger, tallies, metrics });
  const worker = await startWorker({
    step,
    database,
    databaseUrl: env.DATABASE_URL,
    connection: queueConnection({ databaseUrl: env.DATABASE_URL, redisUrl: env.REDIS_URL }),
    concurrency,
    retryBaseMs: env.RETRY_BASE_MS,
    logger,
    tallies,
    onChunk: metrics.observeChunk,
  });
  const checks = [
    { asked: 'The database', ask: () => database.pool.query('select 1') },
    { asked: 'The queue', ask: () => worker.ping() },
  ];
  const probes = await serveProbes(metrics, env, { checks, logger });
  onShutdown({
    steps: [
      ...probes,
      { name: 'worker', run: () => worker.close() },
      ...ends,
      { name: 'database', run: () => database.close() },
    ],
    stepMsMax,
    logger,
  });
  signalReady();
  logger.info({ concurrency }, 'ready');
}
