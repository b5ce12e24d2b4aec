import { type OpenDatabase, openDatabase } from '@draftshelf/core/connection/database';
import { listenForWork } from '@draftshelf/core/connection/listen';
import { reportThisProcess } from '@draftshelf/core/work/report-process';
import { waitForSchema } from '@draftshelf/core/work/wait-for-schema';
import { createTallies, type Tallies } from '@draftshelf/domain/operate/tallies';
import type { TaskHost } from '@draftshelf/domain/work/task-catalog';
import type { EnvOf } from '@draftshelf/runtime/env-catalog';
import { createLogger, type Logger } from '@draftshelf/runtime/logger';
import { createMetrics, type Metrics, serveProbes } from '@draftshelf/runtime/metrics';
import { createProcessEnder, onShutdown, type ShutdownStep, signalReady } from '@draftshelf/runtime/shutdown';
import { readVersion } from '@draftshelf/runtime/version';
import type { ServedHandlers } from './run-task.ts';
import { createTaskRunner, type DeliveryStarter } from './start-tasks.ts';

export type ProcessEnv = EnvOf<
  'DATABASE_URL' | 'HEALTH_FILE' | 'LOG_LEVEL' | 'METRICS_PORT' | 'METRICS_HOST'
>;
export type ProcessDeps = { database: OpenDatabase; logger: Logger; tallies: Tallies; metrics: Metrics };
type DatabaseOptions = Omit<Parameters<typeof openDatabase>[0], 'connectionString' | 'applicationName'>;

/** Opens what all processes need: database, logger, counts and metrics. Resolves once the schema is current. */
export async function openProcessDeps(
  kind: TaskHost,
  env: ProcessEnv,
  options: DatabaseOptions = {},
): Promise<ProcessDeps> {
  const logger = createLogger({ name: kind, level: env.LOG_LEVEL, pretty: process.stdout.isTTY });
  const database = openDatabase({
    connectionString: env.DATABASE_URL,
    applicationName: `draftshelf-${kind.replace('-worker', '')}`,
    ...options,
  });
  await waitForSchema(database, { kind, version: readVersion() }, (waitsFor) =>
    logger.warn({ waitsFor }, 'The schema is not ready'),
  );
  const tallies = createTallies();
  return { database, logger, tallies, metrics: createMetrics(tallies) };
}

/** Serves the probes. When the process is asked to stop, runs the shutdown steps, then closes the database. */
export async function serveUntilStop(
  { database, logger, metrics }: ProcessDeps,
  env: ProcessEnv,
  options: {
    checks?: Parameters<typeof serveProbes>[2]['checks'];
    steps: ShutdownStep[];
    stepMsMax: number;
    ready: object;
  },
): Promise<void> {
  const checks = [
    { asked: 'The database', ask: () => database.pool.query('select 1') },
    ...(options.checks ?? []),
  ];
  const probes = await serveProbes(metrics, env, { checks, logger });
  onShutdown({
    steps: [...probes, ...options.steps, { name: 'database', run: () => database.close() }],
    stepMsMax: options.stepMsMax,
    logger,
  });
  signalReady();
  logger.info(options.ready, 'ready');
}

/** Time limit of a shutdown step. Work that is still running is aborted. */
const stepMsMax = 10_000;

/** Runs a process that does only background tasks. */
export async function runTaskProcess(options: {
  kind: TaskHost;
  env: ProcessEnv;
  database?: DatabaseOptions;
  slots: number;
  /** Fields of the log line that reports readiness. */
  ready: object;
  deliver: DeliveryStarter;
  makeHandlers(parts: ProcessDeps): ServedHandlers | Promise<ServedHandlers>;
}): Promise<void> {
  const { kind, env, slots, deliver } = options;
  const parts = await openProcessDeps(kind, env, options.database);
  const { database, logger, tallies } = parts;
  const handlers = await options.makeHandlers(parts);
  const self = await reportThisProcess(database.db, {
    ...{ kind, version: readVersion(), slots, tallies },
    onProblem: (err, sentence) => logger.warn({ err }, sentence),
    onOtherSchema: createProcessEnder(logger),
  });
  const tasks = createTaskRunner({ processId: self.id, handlers, deliver, database, logger, tallies });
  tasks.start();
  const listener = listenForWork(kind, { databaseUrl: env.DATABASE_URL, logger }, (name) => {
    if (name === kind) tasks.wake();
  });
  const steps = [
    { name: 'listener', run: listener.close },
    { name: 'tasks', run: tasks.stop },
    { name: 'heartbeat', run: self.stop },
  ];
  await serveUntilStop(parts, env, { steps, stepMsMax, ready: options.ready });
}
