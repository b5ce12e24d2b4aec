import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAiServiceFinder } from '@draftshelf/ai/current-service';
import { createCredentialReaders, readCredential } from '@draftshelf/core/access/credentials';
import type { SealingKeys } from '@draftshelf/core/access/sealing';
import { createSavedAiReader } from '@draftshelf/core/enrich/ai/service';
import { createStoreBudget } from '@draftshelf/core/push/store/store-budget';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { createTallies } from '@draftshelf/domain/operate/tallies';
import { chooseQueueConnection } from '@draftshelf/queues/queue-connection';
import { deliverInProcess } from '@draftshelf/queues/start-tasks';
import { createLogger } from '@draftshelf/runtime/logger';
import { createMetrics } from '@draftshelf/runtime/metrics';
import { createShopifyClient } from '@draftshelf/shopify/client';
import { openStores } from '@draftshelf/shopify/stores';
import { createImageChecker } from '@draftshelf/sources/image-checker';
import { createSourceKeys } from '@draftshelf/sources/source-keys';
import { createSourceSets } from '@draftshelf/sources/sources-env';
import { createStoreConnection } from '../../apps/api/src/access/store-connection.ts';
import { type ApiDeps, buildApi } from '../../apps/api/src/build-api.ts';
import { bodyPaceDefault } from '../../apps/api/src/http/body-pace.ts';
import { openApiDatabases } from '../../apps/api/src/http/databases.ts';
import { openQueuesLazily } from '../../apps/api/src/operate/late-queues.ts';
import { createConditionWatch } from '../../apps/api/src/operate/watch-conditions.ts';
import { pollHeldMsDefault } from '../../apps/api/src/work/hold-polls.ts';
import { type ApiClient, browserOf, testAccessKey } from './api-client.ts';
import type { Fixture } from './fixture.ts';
import { readSourcesEnv } from './sources.ts';

const apiVersion = '2026-10';

/** An api on its own loopback port, and a browser's cookie. */
export type TestApi = ApiClient & { url: string; close(): Promise<void> };

/**
 * Starts the api in this process on the fixture's database and bucket, and logs in. `storeUrl`: a store or simulator;
 * if absent, no store answers. With `sealingKeys`, the store is that of saved credentials. `set` overrides its
 * dependencies.
 */
export async function startApi(
  fixture: Fixture,
  options: {
    storeUrl?: string;
    storeToken?: string;
    sealingKeys?: SealingKeys;
    redisUrl?: string;
    /** Environment of the sources and of the AI service. */
    sourcesEnv?: Record<string, string>;
    set?: Partial<ApiDeps>;
  } = {},
): Promise<TestApi> {
  const webDir = await mkdtemp(join(tmpdir(), 'draftshelf-web-'));
  await copyFile(new URL('../../apps/web/index.html', import.meta.url), join(webDir, 'index.html'));
  const storeUrl = options.storeUrl ?? 'http://127.0.0.1:9';
  const { sealingKeys = null, storeToken: accessToken = 'none' } = options;
  const stores = openStores({
    fromEnv: sealingKeys ? null : { url: storeUrl, apiVersion, credentials: { accessToken } },
    apiVersion,
    saved: createCredentialReaders(fixture.database.db, sealingKeys),
    createClient: (store) =>
      createShopifyClient(store, { budget: createStoreBudget(fixture.database.db, store.url, 0) }),
  });
  const databases = openApiDatabases(fixture.databaseUrl);
  const logger = createLogger({ name: 'api', level: 'silent', pretty: false });
  const connection = chooseQueueConnection({ databaseUrl: fixture.databaseUrl, redisUrl: options.redisUrl });
  const late = openQueuesLazily(connection, logger);
  const tallies = createTallies();
  const watched = { ...databases, tallies, logger, disk: async () => null, sendAlert: null };
  const sourcesEnv = readSourcesEnv(options.sourcesEnv ?? {});
  const app = await buildApi({
    processId: randomUUID(),
    deliverTasks: deliverInProcess,
    ...databases,
    storage: fixture.storage,
    store: createStoreConnection(stores, databases),
    sealingKeys,
    apiVersion,
    isLocalStoreAllowed: (origin) => origin !== forbiddenStore,
    pingQueue: late.ping,
    queues: late.queues,
    logger,
    tallies,
    metrics: createMetrics(tallies),
    conditions: createConditionWatch(watched),
    accessKey: testAccessKey,
    sessionSecret: 'a secret of the tests',
    publicUrl: 'http://localhost:3000',
    trustedProxies: [],
    webDir,
    limits: { ...readLimitsDefault, csvBytesMax: 52_428_800, archiveBytesMax: 52_428_800 },
    sources: createSourceSets(sourcesEnv),
    sourcesOn: [],
    sourceKeys: createSourceKeys((name) => readCredential(fixture.database.db, sealingKeys, name)),
    ai: createAiServiceFinder(sourcesEnv, createSavedAiReader(fixture.database.db, sealingKeys)),
    aiEnv: sourcesEnv,
    contact: 'tests',
    images: createImageChecker(sourcesEnv, async () => false),
    imageHosts: [],
    demoStoreUrl: null,
    checkReplies: true,
    retention: {},
    pollHeldMsMax: pollHeldMsDefault,
    bodyPace: bodyPaceDefault,
    ...options.set,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const browser = browserOf(url);
  if (options.set?.accessKey !== '') await browser.login();
  return {
    url,
    ...browser,
    close: async () => {
      await app.close();
      await late.close();
      await Promise.all(Object.values(databases).map((pool) => pool.close()));
      await rm(webDir, { recursive: true, force: true });
    },
  };
}

/** A local address that an operator may not enter as a store. */
export const forbiddenStore = 'http://127.0.0.1:22';
