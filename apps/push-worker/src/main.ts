import { pointsReservedForApi, storeBudget } from '@draftshelf/database/push/store-budget';
import { finalizePush } from '@draftshelf/imports/finalize/finalize-push';
import type { TaskSteps } from '@draftshelf/queues/run-chunk';
import { runWorkerProcess } from '@draftshelf/queues/worker-process';
import { orExit } from '@draftshelf/runtime/env';
import { createShopifyClient } from '@draftshelf/shopify/client';
import { readConfig } from './config.ts';
import { pushChunk } from './push-chunk.ts';
import { storeSessions } from './store-session.ts';

const env = orExit(() => readConfig(process.env));

await runWorkerProcess({
  stage: 'push',
  env,
  concurrencyDefault: 4,
  makeStep({ database, logger }) {
    const budget = storeBudget(database.db, env.store.url, pointsReservedForApi);
    const client = createShopifyClient(env.store, { budget, logger });
    const openSession = storeSessions(client);
    return {
      step: {
        stage: 'push',
        perform: (work) => pushChunk(work, { openSession, imageHosts: env.IMAGE_HOSTS }),
        finalize: finalizePush,
        tasks: {} satisfies TaskSteps<'push'>,
      },
    };
  },
});
