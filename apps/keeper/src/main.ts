import { createObjectStorage } from '@draftshelf/object-storage/connect';
import { deliverInProcess } from '@draftshelf/queues/start-tasks';
import { runTaskProcess } from '@draftshelf/queues/task-process';
import { exitOnConfigurationError, readEnv } from '@draftshelf/runtime/env';
import { createEnvSchema } from '@draftshelf/runtime/env-catalog';
import { createKeeperTasks } from './tasks.ts';

const env = exitOnConfigurationError(() => readEnv(createEnvSchema('keeper'), process.env));

await runTaskProcess({
  kind: 'keeper',
  env,
  slots: 0,
  ready: { directory: env.BACKUP_DIR, at: env.BACKUP_AT },
  deliver: deliverInProcess,
  makeHandlers({ database, logger, metrics }) {
    const storage = createObjectStorage(env, metrics.observeStorage);
    return createKeeperTasks({ database, storage, env, logger });
  },
});
