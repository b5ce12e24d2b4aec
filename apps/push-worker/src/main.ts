import { listCredentialProblems } from '@draftshelf/core/access/credentials';
import { parseWorkerKeys, purposesByWorker } from '@draftshelf/core/access/sealing';
import { createObjectStorage } from '@draftshelf/object-storage/connect';
import { runWorkerProcess } from '@draftshelf/queues/worker-process';
import { exitOnConfigurationError } from '@draftshelf/runtime/env';
import { plainFetch } from '@draftshelf/runtime/plain-fetch';
import { readConfig } from './config.ts';
import { createPushStep } from './push-step.ts';

const env = exitOnConfigurationError(() => readConfig(process.env));
const purpose = purposesByWorker['push-worker'];
const keys = parseWorkerKeys(env, purpose);

await runWorkerProcess({
  stage: 'push',
  env,
  // Few connections are enough, because chunks mostly wait for the store.
  poolMax: 6,
  async makeStep({ database, logger, tallies, metrics }) {
    const storage = createObjectStorage(env, metrics.observeStorage);
    for (const problem of await listCredentialProblems(database.db, keys, purpose)) {
      logger.warn({ problem }, 'Saved credentials cannot be read');
    }
    return { step: createPushStep({ env, keys, database, storage, logger, tallies, fetch: plainFetch }) };
  },
});
