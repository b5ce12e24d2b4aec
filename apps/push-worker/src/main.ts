import {
  CredentialsKeyError,
  prepareCredentials,
  sealingKeysOf,
} from '@draftshelf/database/credentials/credentials';
import { savedStores } from '@draftshelf/database/credentials/saved-stores';
import { pointsReservedForApi, storeBudget } from '@draftshelf/database/push/store-budget';
import { finalizePush } from '@draftshelf/imports/finalize/finalize-push';
import { storeSessions } from '@draftshelf/publishing/store-session';
import type { TaskSteps } from '@draftshelf/queues/run-chunk';
import { runWorkerProcess } from '@draftshelf/queues/worker-process';
import { exitOn, orExit } from '@draftshelf/runtime/env';
import { createShopifyClient } from '@draftshelf/shopify/client';
import { openStores } from '@draftshelf/shopify/stores';
import { readConfig } from './config.ts';
import { currentStore } from './current-store.ts';
import { pushChunk } from './push-chunk.ts';

const env = orExit(() => readConfig(process.env));
const keys = sealingKeysOf(env);

await runWorkerProcess({
  stage: 'push',
  env,
  concurrencyDefault: 4,
  async makeStep({ database, logger }) {
    await prepareCredentials(database.db, keys).catch(exitOn(CredentialsKeyError));
    const stores = openStores({
      fromEnv: env.store,
      apiVersion: env.SHOPIFY_API_VERSION,
      saved: savedStores(database.db, keys),
      createClient: (store) =>
        createShopifyClient(store, {
          budget: storeBudget(database.db, store.url, pointsReservedForApi),
          logger,
        }),
    });
    const sessions = storeSessions();
    return {
      step: {
        stage: 'push',
        perform: (work) =>
          pushChunk(work, { openSession: (chunk) => currentStore(chunk, { stores, sessions }) }),
        finalize: finalizePush,
        tasks: {} satisfies TaskSteps<'push'>,
      },
    };
  },
});
