import { createObjectStorage } from '@draftshelf/object-storage/connect';
import { deliverInProcess } from '@draftshelf/queues/start-tasks';
import { runTaskProcess } from '@draftshelf/queues/task-process';
import { exitOnConfigurationError, readEnv } from '@draftshelf/runtime/env';
import { envSchema } from '@draftshelf/runtime/env-catalog';
import { keeperTasks } from './tasks.ts';

const env = exitOnConfigurationError(() => readEnv(envSchema('keeper'), process.env));

await runTaskProcess({
  kind: 'keeper',
  env,
  slots: 0,
  ready: { directory: env.BACKUP_DIR, at: env.BACKUP_AT },
  deliver: deliverInProcess,
  makeHandlers({ database, logger, metrics }) {
    const storage = createObjectStorage(env, metrics.observeStorage);
    return keeperTasks({ database, storage, env, logger });
  },
});
