import { openDatabase } from '@draftshelf/core/connection/database';
import { reportThisProcess } from '@draftshelf/core/work/report-process';
import { waitForSchema } from '@draftshelf/core/work/wait-for-schema';
import { createTallies } from '@draftshelf/domain/operate/tallies';
import { createObjectStorage, storageOf } from '@draftshelf/object-storage/connect';
import { createTaskRunner } from '@draftshelf/queues/run-background';
import { orExit, readEnv } from '@draftshelf/runtime/env';
import { envSchema } from '@draftshelf/runtime/env-catalog';
import { createLogger } from '@draftshelf/runtime/logger';
import { createMetrics, serveProbes } from '@draftshelf/runtime/metrics';
import { endProcess, onShutdown, signalReady } from '@draftshelf/runtime/shutdown';
import { readVersion } from '@draftshelf/runtime/version';
import { keeperTasks } from './tasks.ts';

/** A backup that is being made is dropped. */
const stepMsMax = 10_000;

const env = orExit(() => readEnv(envSchema('keeper'), process.env));
const logger = createLogger({ name: 'keeper', level: env.LOG_LEVEL, pretty: process.stdout.isTTY });
const database = openDatabase({ connectionString: env.DATABASE_URL, applicationName: 'draftshelf-keeper' });
await waitForSchema(database, { kind: 'keeper', version: readVersion() }, (waitsFor) =>
  logger.warn({ waitsFor }, 'The schema is not ready'),
);
const tallies = createTallies();
const metrics = createMetrics(tallies);
const self = await reportThisProcess(database.db, {
  kind: 'keeper',
  version: readVersion(),
  slots: 0,
  onProblem: (err, sentence) => logger.warn({ err }, sentence),
  onOtherSchema: endProcess(logger),
  tallies,
});
const storage = createObjectStorage(storageOf(env), metrics.observeStorage);
const tasks = createTaskRunner({
  place: 'keeper',
  processId: self.id,
  handlers: keeperTasks({ database, storage, env, logger }),
  database,
  logger,
});
tasks.start();
const checks = [{ asked: 'The database', ask: () => database.pool.query('select 1') }];
const probes = await serveProbes(metrics, env, { checks, logger });
onShutdown({
  steps: [
    ...probes,
    { name: 'tasks', run: () => tasks.stop() },
    { name: 'heartbeat', run: () => self.stop() },
    { name: 'database', run: () => database.close() },
  ],
  stepMsMax,
  logger,
});
signalReady();
logger.info({ directory: env.BACKUP_DIR, at: env.BACKUP_AT }, 'ready');
