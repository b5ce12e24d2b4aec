import { pointsReservedForApi, storeBudget } from '@draftshelf/database/push/store-budget';
import { finalizePush } from '@draftshelf/imports/finalize/finalize-push';
import { type StoreSession, storeSessions } from '@draftshelf/publishing/store-session';
import type { TaskSteps } from '@draftshelf/queues/run-chunk';
import { runWorkerProcess } from '@draftshelf/queues/worker-process';
import { orExit } from '@draftshelf/runtime/env';
import { createCallGate } from '@draftshelf/shopify/call-gate';
import { createShopifyClient } from '@draftshelf/shopify/client';
import { readConfig } from './config.ts';
import { type PushParts, pushChunk } from './push-chunk.ts';
import { createPushReads, type PushReads } from './push-reads.ts';
import { createPushRecorder } from './push-recorder.ts';

const env = orExit(() => readConfig(process.env));

await runWorkerProcess({
  stage: 'push',
  env,
  concurrencyDefault: 10,
  // For the statements of the products of all chunks.
  connectionsBeside: 8,
  makeStep({ database, logger }) {
    const gate = createCallGate(storeBudget(database.db, env.store.url, pointsReservedForApi));
    const client = createShopifyClient(env.store, { budget: gate.budget, logger });
    const reads = new WeakMap<StoreSession, PushReads>();
    const parts: PushParts = {
      openSession: storeSessions(client),
      gate,
      recorder: createPushRecorder(database.db),
      readsOf(session) {
        const found = reads.get(session) ?? createPushReads(session, gate);
        reads.set(session, found);
        return found;
      },
    };
    return {
      step: {
        stage: 'push',
        perform: (work) => pushChunk(work, parts),
        finalize: finalizePush,
        tasks: {} satisfies TaskSteps<'push'>,
      },
    };
  },
});
