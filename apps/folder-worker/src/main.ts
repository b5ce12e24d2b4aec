import { reportThisProcess } from '@draftshelf/database/chunks/report-process';
import { openDatabase } from '@draftshelf/database/connection/database';
import { prepareCredentials, sealingKeysOf } from '@draftshelf/database/credentials/credentials';
import { orExit } from '@draftshelf/runtime/env';
import { keepHealthFile } from '@draftshelf/runtime/health-file';
import { createLogger } from '@draftshelf/runtime/logger';
import { onShutdown } from '@draftshelf/runtime/shutdown';
import { signalReady } from '@draftshelf/runtime/signal-ready';
import { readVersion } from '@draftshelf/runtime/version';
import { readConfig } from './config.ts';
import { keepRounds } from './keep-rounds.ts';

const roundEveryMs = 5_000;
/** Files that are read at a time, and how long a shutdown step may take: reads are aborted. */
const slots = 1;
const stepMsMax = 10_000;
/** No statement here is long: files are stored outside transactions. */
const lockMsMax = 5_000;
const statementMsMax = 60_000;

const env = orExit(() => readConfig(process.env));
const logger = createLogger({ name: 'folder-worker', level: env.LOG_LEVEL, pretty: process.stdout.isTTY });
const database = openDatabase({
  connectionString: env.DATABASE_URL,
  applicationName: 'draftshelf-folder',
  lockMsMax,
  statementMsMax,
});
const sealingKeys = sealingKeysOf(env);
for (const problem of await prepareCredentials(database.db, sealingKeys)) {
  logger.warn({ problem }, 'Saved credentials cannot be read');
}
const self = await reportThisProcess(database.db, {
  kind: 'folder-worker',
  version: readVersion(),
  slots,
  tasks: [],
  onProblem: (err, sentence) => logger.warn({ err }, sentence),
});
const rounds = keepRounds({
  everyMs: roundEveryMs,
  round: async () => {},
  onError: (err) => logger.warn({ err }, 'A round failed; the next one tries again'),
});
const health =
  env.HEALTH_FILE === undefined
    ? undefined
    : await keepHealthFile({
        path: env.HEALTH_FILE,
        checks: [{ asked: 'The database', ask: () => database.pool.query('select 1') }],
        logger,
      });
onShutdown({
  steps: [
    ...(health ? [{ name: 'health file', run: () => health.stop() }] : []),
    { name: 'rounds', run: () => rounds.stop() },
    { name: 'heartbeat', run: () => self.stop() },
    { name: 'database', run: () => database.close() },
  ],
  stepMsMax,
  logger,
});
signalReady();
logger.info({ slots }, 'ready');
