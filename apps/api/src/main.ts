import { createAiServiceFinder } from '@draftshelf/ai/current-service';
import {
  createCredentialReaders,
  findCredential,
  readCredential,
  resealCredentials,
  shopifyService,
} from '@draftshelf/core/access/credentials';
import { deriveAllSealingKeys } from '@draftshelf/core/access/sealing';
import { createSavedAiReader, forgetSimulatedAi } from '@draftshelf/core/enrich/ai/service';
import { hasSimulatedSources } from '@draftshelf/core/enrich/sources';
import { createStoreBudget } from '@draftshelf/core/push/store/store-budget';
import { reportThisProcess } from '@draftshelf/core/work/report-process';
import { waitForSchema } from '@draftshelf/core/work/wait-for-schema';
import { createTallies } from '@draftshelf/domain/operate/tallies';
import { createObjectStorage } from '@draftshelf/object-storage/connect';
import { chooseQueueConnection } from '@draftshelf/queues/queue-connection';
import { createTaskRunner, deliverByQueue, deliverInProcess } from '@draftshelf/queues/start-tasks';
import { exitOnConfigurationError } from '@draftshelf/runtime/env';
import { readRetention, toFileLimits } from '@draftshelf/runtime/limits-env';
import { createLogger } from '@draftshelf/runtime/logger';
import { createMetrics, serveMetrics } from '@draftshelf/runtime/metrics';
import { createProcessEnder, onShutdown, signalReady } from '@draftshelf/runtime/shutdown';
import { readVersion } from '@draftshelf/runtime/version';
import { createShopifyClient } from '@draftshelf/shopify/client';
import { openStores } from '@draftshelf/shopify/stores';
import { createImageChecker } from '@draftshelf/sources/image-checker';
import { createSourceKeys } from '@draftshelf/sources/source-keys';
import { createSourceSets } from '@draftshelf/sources/sources-env';
import { applySources } from './access/configured-sources.ts';
import { createStoreConnection } from './access/store-connection.ts';
import { saveDemoStore } from './access/store-credentials.ts';
import { buildApi } from './build-api.ts';
import { bodyPaceDefault } from './http/body-pace.ts';
import { readConfig } from './http/config.ts';
import { openApiDatabases } from './http/databases.ts';
import { ensureBucketInBackground } from './operate/ensure-bucket.ts';
import { openQueuesLazily } from './operate/late-queues.ts';
import { addStoredGauges } from './operate/stored-gauges.ts';
import {
  createAlertSender,
  createConditionWatch,
  createWatchConditionsTask,
  readDiskSpace,
} from './operate/watch-conditions.ts';
import { pollHeldMsDefault } from './work/hold-polls.ts';

/** Maximum time that running uploads get to finish at shutdown. */
const stepMsMax = 20_000;

const env = exitOnConfigurationError(() => readConfig(process.env));
const logger = createLogger({ name: 'api', level: env.LOG_LEVEL, pretty: process.stdout.isTTY });

const databases = openApiDatabases(env.DATABASE_URL);
const { database } = databases;
const tallies = createTallies();
const metrics = createMetrics(tallies);
const storage = createObjectStorage(env, metrics.observeStorage);
await waitForSchema(database, { kind: 'api', version: readVersion() }, (waitsFor) =>
  logger.warn({ waitsFor }, 'The schema is not ready'),
);
const connection = chooseQueueConnection({ databaseUrl: env.DATABASE_URL, redisUrl: env.REDIS_URL });
const late = openQueuesLazily(connection, logger);
const sealingKeys = deriveAllSealingKeys(env);
for (const problem of await resealCredentials(databases.changes.db, sealingKeys)) {
  logger.warn({ problem }, 'Saved credentials cannot be read');
}
if (sealingKeys) await saveDemoStore(databases.changes.db, sealingKeys, env);
const stores = openStores({
  fromEnv: env.store,
  apiVersion: env.SHOPIFY_API_VERSION,
  saved: createCredentialReaders(database.db, sealingKeys),
  createClient: (store) =>
    createShopifyClient(store, { budget: createStoreBudget(database.db, store.url, 0), logger }),
});

const sources = { sources: createSourceSets(env), sourcesOn: env.SOURCES_ON };
// A saved store stays the current store even if its credentials cannot be read.
const saved = await findCredential(database.db, shopifyService);
const savedUrl = saved?.origin === 'operator' && saved.shop !== null ? `https://${saved.shop}` : null;
const storeUrl = (await stores.current())?.url ?? savedUrl;
await databases.changes.db.transaction().execute(async (trx) => {
  await applySources(trx, sources, { storeUrl, isStart: true });
  if (env.AI_BASE_URL !== undefined) await forgetSimulatedAi(trx);
});
const demoStoreOrigin = env.DEMO_STORE_URL === undefined ? null : new URL(env.DEMO_STORE_URL).origin;
const store = createStoreConnection(stores, databases);
const { ALERT_WEBHOOK_URL: webhook, DISK_DIR: diskDir } = env;
const conditions = createConditionWatch({
  ...{ database, changes: databases.changes, tallies, logger, disk: () => readDiskSpace(diskDir) },
  sendAlert: webhook === undefined ? null : createAlertSender(webhook, env.PUBLIC_URL),
});
const storeUrlNow = async () => (await stores.current())?.url ?? null;
addStoredGauges(metrics, { conditions, pools: databases, storeUrl: storeUrlNow });
const self = await reportThisProcess(database.db, {
  kind: 'api',
  version: readVersion(),
  slots: 0,
  onProblem: (err, sentence) => logger.warn({ err }, sentence),
  onOtherSchema: createProcessEnder(logger),
  tallies,
});
const app = await buildApi({
  processId: self.id,
  ...databases,
  storage,
  store,
  sealingKeys,
  apiVersion: env.SHOPIFY_API_VERSION,
  isLocalStoreAllowed: (origin) => env.LOCAL_STORES || origin === demoStoreOrigin,
  pingQueue: late.ping,
  queues: late.queues,
  logger,
  tallies,
  metrics,
  conditions,
  deliverTasks: deliverByQueue(connection, 'api-tasks'),
  accessKey: env.ACCESS_KEY,
  sessionSecret: env.SESSION_SECRET,
  publicUrl: env.PUBLIC_URL,
  trustedProxies: env.TRUSTED_PROXIES,
  webDir: env.WEB_DIR,
  limits: toFileLimits(env),
  ...sources,
  sourceKeys: createSourceKeys((name) => readCredential(database.db, sealingKeys, name)),
  ai: createAiServiceFinder(env, createSavedAiReader(database.db, sealingKeys)),
  aiEnv: env,
  contact: env.SOURCES_CONTACT,
  images: createImageChecker(env, () => hasSimulatedSources(database.db)),
  imageHosts: env.IMAGE_HOSTS,
  demoStoreUrl: env.DEMO_STORE_URL ?? null,
  checkReplies: env.CHECK_REPLIES,
  retention: readRetention(env),
  pollHeldMsMax: pollHeldMsDefault,
  bodyPace: bodyPaceDefault,
});
const watch = createTaskRunner({
  ...{ processId: self.id, database: databases.changes, logger, tallies, deliver: deliverInProcess },
  handlers: { 'watch-conditions': createWatchConditionsTask(conditions) },
});
watch.start();
const bucket = ensureBucketInBackground(storage, logger);
const scrapes = await serveMetrics(metrics, {
  port: env.METRICS_PORT,
  host: env.METRICS_HOST,
  checks: [{ asked: 'The database', ask: () => database.pool.query('select 1') }],
  logger,
});
onShutdown({
  steps: [
    { name: 'http', run: () => app.close() },
    { name: 'bucket', run: async () => bucket.stop() },
    { name: 'metrics', run: () => scrapes.close() },
    { name: 'conditions', run: () => watch.stop() },
    { name: 'heartbeat', run: () => self.stop() },
    { name: 'queues', run: late.close },
    {
      name: 'database',
      run: async () => void (await Promise.all(Object.values(databases).map((pool) => pool.close()))),
    },
  ],
  stepMsMax,
  logger,
});
// Frees 15 MB of garbage from start-up. An api that only answers polls would keep this garbage for long.
globalThis.gc?.({ type: 'major', flavor: 'last-resort' });
await app.listen({ port: env.PORT, host: env.HOST });
signalReady();
// Reads the store's currency, with which the rows of the next uploads are compared.
store.lastTest().catch((err) => logger.warn({ err }, 'the connection to the store could not be tested'));
logger.info({ port: env.PORT, host: env.HOST }, 'ready');
