import { readProblems } from '@draftshelf/core/access/credentials';
import { purposeOfWorker, workerKeysOf } from '@draftshelf/core/access/sealing';
import { openDatabase } from '@draftshelf/core/connection/database';
import { listen } from '@draftshelf/core/connection/listen';
import { foldersChannel } from '@draftshelf/core/folders/sources';
import { readStoreCurrency } from '@draftshelf/core/push/store/shops';
import { reportThisProcess } from '@draftshelf/core/work/report-process';
import { waitForSchema } from '@draftshelf/core/work/wait-for-schema';
import { createTallies } from '@draftshelf/domain/operate/tallies';
import { createLocalFolder } from '@draftshelf/folders/local/local-folder';
import { createObjectStorage, storageOf } from '@draftshelf/object-storage/connect';
import { createTaskRunner, type TaskHandlers } from '@draftshelf/queues/run-background';
import { orExit, readEnv } from '@draftshelf/runtime/env';
import { envSchema } from '@draftshelf/runtime/env-catalog';
import { fileLimitsOf } from '@draftshelf/runtime/limits-env';
import { createLogger } from '@draftshelf/runtime/logger';
import { createMetrics, serveProbes } from '@draftshelf/runtime/metrics';
import { endProcess, onShutdown, signalReady } from '@draftshelf/runtime/shutdown';
import { readVersion } from '@draftshelf/runtime/version';
import { driveEnvOf, openOneDrive } from './one-drive.ts';
import { signInTask } from './sign-ins.ts';
import { folderTasks } from './tasks.ts';

/** Files read at a time, and the limit of a shutdown step: reads are aborted. */
const slots = 1;
const stepMsMax = 10_000;
/** No statement here is long: files are stored outside transactions. */
const lockMsMax = 5_000;
const statementMsMax = 60_000;

const env = orExit(() => readEnv(envSchema('folder-worker'), process.env));
const logger = createLogger({ name: 'folder-worker', level: env.LOG_LEVEL, pretty: process.stdout.isTTY });
const database = openDatabase({
  connectionString: env.DATABASE_URL,
  applicationName: 'draftshelf-folder',
  lockMsMax,
  statementMsMax,
});
await waitForSchema(database, { kind: 'folder-worker', version: readVersion() }, (waitsFor) =>
  logger.warn({ waitsFor }, 'The schema is not ready'),
);
const purpose = purposeOfWorker['folder-worker'];
const sealingKeys = workerKeysOf(env, purpose);
for (const problem of await readProblems(database.db, sealingKeys, purpose)) {
  logger.warn({ problem }, 'Saved credentials cannot be read');
}
const tallies = createTallies();
const metrics = createMetrics(tallies);
const self = await reportThisProcess(database.db, {
  kind: 'folder-worker',
  version: readVersion(),
  slots,
  onProblem: (err, sentence) => logger.warn({ err }, sentence),
  onOtherSchema: endProcess(logger),
  tallies,
});
const driveEnv = driveEnvOf(env);
const onedrive = openOneDrive({ db: database.db, keys: sealingKeys, env: driveEnv });
const { WATCH_FOLDER: folder, FOLDER_SETTLE_MS: settleMs } = env;
const folders = folderTasks({
  database,
  storage: createObjectStorage(storageOf(env), metrics.observeStorage),
  limits: fileLimitsOf(env),
  sources: folder === undefined ? { onedrive } : { local: createLocalFolder({ folder, settleMs }), onedrive },
  currency: () => readStoreCurrency(database.db, env.SHOPIFY_STORE_URL ?? null),
  logger,
});
const signIn = signInTask({ db: database.db, keys: sealingKeys, env: driveEnv, logger });
const tasks = createTaskRunner({
  place: 'folder-worker',
  processId: self.id,
  handlers: { ...folders, 'sign-in': signIn } satisfies TaskHandlers<'folder-worker'>,
  database,
  logger,
});
tasks.start();
const listener = listen({
  connectionString: env.DATABASE_URL,
  applicationName: 'draftshelf-folder-listen',
  channel: foldersChannel,
  onNotify: () => tasks.wake(),
  onProblem: (err) => logger.warn({ err }, 'The LISTEN connection was lost'),
});
const checks = [{ asked: 'The database', ask: () => database.pool.query('select 1') }];
const probes = await serveProbes(metrics, env, { checks, logger });
onShutdown({
  steps: [
    ...probes,
    { name: 'listener', run: () => listener.close() },
    { name: 'tasks', run: () => tasks.stop() },
    { name: 'heartbeat', run: () => self.stop() },
    { name: 'database', run: () => database.close() },
  ],
  stepMsMax,
  logger,
});
signalReady();
logger.info({ slots }, 'ready');
