import { createCredentialReaders } from '@draftshelf/core/access/credentials';
import type { SealingKeys } from '@draftshelf/core/access/sealing';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { pushDueImports } from '@draftshelf/core/folders/auto-push';
import { listImportsToPush } from '@draftshelf/core/push/auto-push';
import { carryOutStandingActions } from '@draftshelf/core/push/changes/gone';
import { claimRunShop, type PushRun } from '@draftshelf/core/push/push-run';
import { upsertShop } from '@draftshelf/core/push/store/shops';
import { createStoreBudget, pointsReservedForApi } from '@draftshelf/core/push/store/store-budget';
import { findListsForGoneAction } from '@draftshelf/core/suppliers/gone';
import { finalizePush } from '@draftshelf/core/work/finalize/finalize-push';
import { photoKey } from '@draftshelf/domain/base/photo-address';
import type { Tallies } from '@draftshelf/domain/operate/tallies';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { findObject } from '@draftshelf/object-storage/objects';
import { createPushRecorder } from '@draftshelf/publishing/publish-record';
import { type StoreSession, type StoreSessions, storeSessions } from '@draftshelf/publishing/store-session';
import { StageFailed } from '@draftshelf/queues/chunk-errors';
import type { ChunkWork, StageTasks, StageWork } from '@draftshelf/queues/run-chunk';
import type { TaskHandlers } from '@draftshelf/queues/run-task';
import type { Logger } from '@draftshelf/runtime/logger';
import type { PlainFetch } from '@draftshelf/runtime/plain-fetch';
import { type CallGate, createCallGate } from '@draftshelf/shopify/call-gate';
import { type CallOutcome, createShopifyClient, type ShopifyClient } from '@draftshelf/shopify/client';
import { openStores, type Stores } from '@draftshelf/shopify/stores';
import type { readConfig } from './config.ts';
import { createGonePlanTask, createUndoPlanTask } from './plan-changes.ts';
import { createPushPlanTask } from './plan-push.ts';
import { createStoreFinder, type OpenStores } from './preview-part.ts';
import { type PushChunkDeps, pushChunk } from './push-chunk.ts';
import { createStoreReader, type PushStore } from './push-reads.ts';

export function createPushStep({
  env,
  keys,
  database,
  storage,
  logger,
  tallies,
  fetch,
}: {
  env: Pick<ReturnType<typeof readConfig>, 'store' | 'SHOPIFY_API_VERSION' | 'IMAGE_HOSTS'>;
  keys: SealingKeys | null;
  database: OpenDatabase;
  storage: ObjectStorage;
  logger: Logger;
  tallies: Tallies;
  fetch: PlainFetch;
}): StageWork {
  const gates = new WeakMap<ShopifyClient, CallGate>();
  const open: OpenStores = (createClient) =>
    openStores({
      fromEnv: env.store,
      apiVersion: env.SHOPIFY_API_VERSION,
      saved: createCredentialReaders(database.db, keys),
      createClient,
    });
  const stores = open((store) => {
    const gate = createCallGate(createStoreBudget(database.db, store.url, pointsReservedForApi));
    const onCall = createCallCounter(tallies);
    const client = createShopifyClient(store, { budget: gate.budget, logger, fetch, onCall });
    gates.set(client, gate);
    return client;
  });
  const planning = createStoreFinder(database.db, open, { logger, fetch });
  const sessions = storeSessions();
  const opened = new WeakMap<StoreSession, PushStore>();
  const parts: PushChunkDeps = {
    recorder: createPushRecorder(database.db),
    imageHosts: env.IMAGE_HOSTS,
    openPhoto: (id) => findObject(storage, photoKey(id)),
    async openStore(work, run) {
      const session = await currentStore(work, run, { stores, sessions });
      const gate = gates.get(session.client);
      if (!gate) throw new Error('A client of the store has no gate');
      const store = opened.get(session) ?? { session, gate, reads: createStoreReader(session, gate) };
      opened.set(session, store);
      return store;
    },
  };
  return {
    stage: 'push',
    performOnPool: (work) => pushChunk(work, parts),
    finalize: (db, chunk) => finalizePush(db, chunk, logger),
    tasks: {
      'plan-push': createPushPlanTask({ imageHosts: env.IMAGE_HOSTS, currentStore: planning }),
      'plan-undo': createUndoPlanTask(planning),
      'plan-gone': createGonePlanTask(planning),
    } satisfies StageTasks<'push'>,
    background: {
      'auto-push': {
        hasWork: async () =>
          (await listImportsToPush(database.db)).length > 0 ||
          (await findListsForGoneAction(database.db)).length > 0,
        async run() {
          await pushDueImports(database.db, () => stores.current());
          await carryOutStandingActions(database.db);
          return 'done';
        },
      },
    } satisfies TaskHandlers<'push-worker'>,
  };
}

export function createCallCounter(tallies: Tallies): (outcome: CallOutcome, isOtherVersion: boolean) => void {
  return (outcome, isOtherVersion) => {
    tallies.add('store-calls');
    if (outcome === 'throttled') tallies.add('store-throttled');
    if (outcome === 'refused') tallies.add('store-refusals');
    if (isOtherVersion) tallies.add('store-versions');
  };
}

/** Opens the store that the run began with, even if another one is connected now. Throws StageFailed if it is gone. */
async function currentStore(
  work: ChunkWork,
  run: PushRun,
  { stores, sessions }: { stores: Stores; sessions: StoreSessions },
): Promise<StoreSession> {
  const { chunk, signal } = work;
  const { db } = work.database;
  const store = run.shop === null ? await stores.current() : await stores.ofShop(run.shop);
  if (store === null) {
    if ((await stores.problem()) !== null) throw new StageFailed(unreadable);
    throw new StageFailed(run.shop === null ? notConnected : gone(run.shop));
  }
  const session = await sessions.open(store.client, signal);
  const at = { shop: session.shop, url: store.url, currency: session.currency };
  if (run.shop === null) {
    const shop = await claimRunShop(db, chunk, at);
    // Another worker has begun this run with a store that was connected a moment earlier.
    return shop === session.shop ? session : currentStore(work, { ...run, shop }, { stores, sessions });
  }
  await upsertShop(db, at);
  if (run.shop !== session.shop) throw new StageFailed(gone(run.shop));
  return session;
}

const notConnected = 'No store is connected. Connect one in Settings, then push again.';
const unreadable =
  'The saved credentials of the store can’t be read. Enter them again in Settings, then push again.';
const gone = (shop: string) =>
  `This push began with ${shop}, which is no longer connected. Push again to send the products to the store that is connected now.`;
