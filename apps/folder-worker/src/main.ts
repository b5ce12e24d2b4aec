import { listCredentialProblems } from '@draftshelf/core/access/credentials';
import { parseWorkerKeys, purposesByWorker } from '@draftshelf/core/access/sealing';
import { readStoreCurrency } from '@draftshelf/core/push/store/shops';
import { defaultPace } from '@draftshelf/folders/address/opened-list';
import { createLocalFolder } from '@draftshelf/folders/local/local-folder';
import { createObjectStorage } from '@draftshelf/object-storage/connect';
import { chooseQueueConnection } from '@draftshelf/queues/queue-connection';
import type { TaskHandlers } from '@draftshelf/queues/run-task';
import { deliverByQueue } from '@draftshelf/queues/start-tasks';
import { runTaskProcess } from '@draftshelf/queues/task-process';
import { exitOnConfigurationError, readEnv } from '@draftshelf/runtime/env';
import { createEnvSchema } from '@draftshelf/runtime/env-catalog';
import { createGuardedConnect, createGuardedDownload } from '@draftshelf/runtime/guarded-fetch';
import { toFileLimits } from '@draftshelf/runtime/limits-env';
import { createFeedTasks } from './fetch-lists.ts';
import { openOneDrive } from './one-drive.ts';
import { createSignInTask } from './sign-ins.ts';
import { createFolderTasks } from './tasks.ts';

const env = exitOnConfigurationError(() => readEnv(createEnvSchema('folder-worker'), process.env));
/** Number of files that are read at the same time. */
const slots = 1;
const connection = chooseQueueConnection({ databaseUrl: env.DATABASE_URL, redisUrl: env.REDIS_URL });

await runTaskProcess({
  kind: 'folder-worker',
  env,
  // No statement takes long, because files are stored outside transactions.
  database: { lockMsMax: 5_000, statementMsMax: 60_000 },
  slots,
  ready: { slots },
  deliver: deliverByQueue(connection, 'folder-tasks'),
  async makeHandlers({ database, logger, metrics }): Promise<TaskHandlers<'folder-worker'>> {
    const { db } = database;
    const purpose = purposesByWorker['folder-worker'];
    const keys = parseWorkerKeys(env, purpose);
    for (const problem of await listCredentialProblems(db, keys, purpose)) {
      logger.warn({ problem }, 'Saved credentials cannot be read');
    }
    const clientId = env.ONEDRIVE_CLIENT_ID ?? null;
    // The simulator is used only if no app registration is configured.
    const simulatorUrl = clientId === null ? (env.DEMO_GRAPH_URL ?? null) : null;
    const driveEnv = { cloud: env.ONEDRIVE_CLOUD, tenant: env.ONEDRIVE_TENANT, clientId, simulatorUrl };
    const onedrive = openOneDrive({ db, keys, env: driveEnv });
    const { WATCH_FOLDER: folder, FOLDER_SETTLE_MS: settleMs } = env;
    const sources =
      folder === undefined ? { onedrive } : { local: createLocalFolder({ folder, settleMs }), onedrive };
    const limits = toFileLimits(env);
    const parts = {
      ...{ database, logger, limits },
      storage: createObjectStorage(env, metrics.observeStorage),
      currency: () => readStoreCurrency(db, env.SHOPIFY_STORE_URL ?? null),
    };
    const { FETCH_ALLOW: allowedOrigins, FETCH_PUBLIC: isPublicFetched } = env;
    const guard = { allowedOrigins, isPublicFetched };
    const open = {
      download: createGuardedDownload({ ...guard, isHttpsOnly: true, hosts: [] }),
      ...{ connect: createGuardedConnect(guard), pace: defaultPace },
    };
    return {
      ...createFolderTasks(parts, sources),
      ...createFeedTasks({ ...parts, keys, open }),
      'sign-in': createSignInTask({ db, keys, env: driveEnv, logger }),
    };
  },
});
