import { randomUUID } from 'node:crypto';
import { login } from '@draftshelf/contract/access/auth';
import { uploadCsv } from '@draftshelf/contract/reading/upload';
import type { RetentionDays } from '@draftshelf/core/operate/remove-old';
import { readStoreWritePosition } from '@draftshelf/core/push/ledger';
import type { FileLimits } from '@draftshelf/core/reading/take-file';
import type { Tallies } from '@draftshelf/domain/operate/tallies';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { createTaskRunner, type DeliveryStarter } from '@draftshelf/queues/start-tasks';
import type { Logger } from '@draftshelf/runtime/logger';
import type { Metrics } from '@draftshelf/runtime/metrics';
import type { ImageChecker } from '@draftshelf/sources/image-checker';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { serveAuth, serveSecurity } from './access/auth-routes.ts';
import { readConnections, serveConnections } from './access/connections-routes.ts';
import { servePreferences, serveSettings } from './access/settings-routes.ts';
import type { SourceKeysDeps } from './access/source-keys.ts';
import type { StoreConnection } from './access/store-connection.ts';
import { createStoreReads } from './access/store-reads.ts';
import { serveAi } from './enrich/ai-routes.ts';
import type { AiDeps } from './enrich/ai-service.ts';
import { serveRules } from './enrich/rules-routes.ts';
import { serveSources } from './enrich/sources-routes.ts';
import { serveFolders } from './folders/folders-routes.ts';
import type { BodyPace } from './http/body-pace.ts';
import { limitBodyTime } from './http/body-time.ts';
import type { ApiDatabases } from './http/databases.ts';
import { handleErrors, replyToBadUrl } from './http/error-handler.ts';
import { createGuard, guardApi } from './http/guard.ts';
import { createFileSlicer } from './http/in-slices.ts';
import { createJsonReplies } from './http/json-reply.ts';
import { openSecurityLog } from './http/security-log.ts';
import { openSessions } from './http/session.ts';
import { createSessionCookies } from './http/session-cookie.ts';
import { serveWeb } from './http/static.ts';
import { createLargeReads } from './http/turns.ts';
import { serveSearch } from './imports/find-routes.ts';
import { serveHistory } from './imports/history-routes.ts';
import { createPaceReader } from './imports/paces.ts';
import { serveBullBoard } from './operate/bull-board.ts';
import { serveDashboard } from './operate/dashboard-routes.ts';
import { serveDeadWork } from './operate/dead-work-routes.ts';
import { serveHealth } from './operate/health-routes.ts';
import type { LazyQueues } from './operate/late-queues.ts';
import { serveAudit, serveBackups, serveConditions, serveSystem } from './operate/system-routes.ts';
import type { ConditionWatch } from './operate/watch-conditions.ts';
import { serveWork } from './operate/work-routes.ts';
import { serveBatchPush } from './push/batch-push-routes.ts';
import { serveChanges } from './push/change-routes.ts';
import { serveCreateProduct } from './push/create-product-routes.ts';
import { servePlan } from './push/plan-routes.ts';
import { serveReadiness } from './push/readiness-routes.ts';
import { serveReport } from './push/report-routes.ts';
import { serveStore } from './push/store-routes.ts';
import { createStoreSyncTask, serveStoreSync } from './push/store-sync-routes.ts';
import { serveFastUpload } from './reading/fast-upload-routes.ts';
import { serveMapping, serveMappings } from './reading/mapping-routes.ts';
import { serveRereadPreview } from './reading/reread-preview-routes.ts';
import { serveTables } from './reading/table-routes.ts';
import { serveEarlierImport, serveUpload } from './reading/upload-routes.ts';
import { serveValuesSample } from './reading/values-sample-routes.ts';
import { serveCommands } from './review/commands-routes.ts';
import { serveCorrections } from './review/corrections-routes.ts';
import { serveEditHistory } from './review/edit-history-routes.ts';
import { serveFieldValues } from './review/field-values-routes.ts';
import { servePictures } from './review/pictures-routes.ts';
import { serveProposals } from './review/proposals-routes.ts';
import { serveRecipes } from './review/recipes-routes.ts';
import { serveRows } from './review/rows-routes.ts';
import { serveLookUpCode } from './scanner/look-up-code-routes.ts';
import { createPhotoIntake } from './scanner/photo-intake.ts';
import { servePhotos } from './scanner/photos-routes.ts';
import { serveScanner, serveScannerBatches } from './scanner/scanner-routes.ts';
import { serveFeeds } from './suppliers/feeds-routes.ts';
import { serveLists } from './suppliers/lists-routes.ts';
import { serveSuppliers } from './suppliers/suppliers-routes.ts';
import { serveImportActions } from './work/import-actions-routes.ts';
import { serveImports } from './work/imports-routes.ts';

export type ApiDeps = ApiDatabases &
  AiDeps &
  SourceKeysDeps & {
    storage: ObjectStorage;
    store: StoreConnection;
    pingQueue: () => Promise<void>;
    queues: LazyQueues;
    logger: Logger;
    tallies: Tallies;
    metrics: Pick<Metrics, 'observeRequest' | 'countUpload' | 'countRefusedLogin'>;
    conditions: ConditionWatch;
    processId: string;
    deliverTasks: DeliveryStarter;
    /** An empty key turns sign-in off. */
    accessKey: string;
    sessionSecret: string;
    publicUrl: string;
    /** Addresses of proxies whose X-Forwarded headers are trusted. */
    trustedProxies: readonly string[];
    webDir: string;
    limits: FileLimits;
    imageHosts: readonly string[];
    images: ImageChecker;
    demoStoreUrl: string | null;
    checkReplies: boolean;
    retention: Partial<RetentionDays>;
    pollHeldMsMax: number;
    bodyPace: BodyPace;
  };

/** Inactive connections are closed after this time. Calls to storage and store time out earlier. */
const silenceMsMax = 120_000;

const bodyMsMax = 10_000;
/** Time for uploads by clients with a session: 5 minutes for 50 MB, and in proportion for larger limits. */
const uploadMsMin = 300_000;
const uploadBytesPerMs = 175;

const connectionsMax = 5_000;

export async function buildApi(deps: ApiDeps): Promise<FastifyInstance> {
  const uploadMsMax = Math.max(uploadMsMin, Math.ceil(deps.limits.csvBytesMax / uploadBytesPerMs));
  const app = Fastify({
    // With loggerInstance, Fastify would create a child logger and two listeners per request: 10 % of a poll's time.
    childLoggerFactory: () => deps.logger as FastifyBaseLogger,
    // Screens poll every two seconds, so logs of requests would hide other logs. error-handler.ts logs failures.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    connectionTimeout: silenceMsMax,
    requestTimeout: uploadMsMax,
    frameworkErrors: replyToBadUrl,
    // Sets request.ip, which login limits use, to the client's address. Guard and cookies ignore host and protocol.
    trustProxy: deps.trustedProxies.length > 0 && [...deps.trustedProxies],
  });
  // connectionTimeout closes idle connections too. A keep-alive timeout would reset two timers per request.
  app.server.keepAliveTimeout = 0;
  app.server.maxConnections = connectionsMax;
  const bodyTime = limitBodyTime(app, { bodyMsMax, longBodyMsMax: uploadMsMax });
  handleErrors(app, deps.tallies);
  observeRequests(app, deps);
  const inSlices = createFileSlicer(app);
  acceptEmptyBodies(app);
  const securityLog = openSecurityLog(deps);
  app.addHook('onClose', () => securityLog.close());
  const sessions = openSessions({ ...deps, cookies: await createSessionCookies(app, deps), securityLog });
  const guard = createGuard(sessions, deps.publicUrl, securityLog);
  guardApi(app, guard, bodyTime);
  await serveWeb(app, { ...deps, sessions, csvBytesMax: deps.limits.csvBytesMax });
  await serveBullBoard(app, { queues: deps.queues, guard });

  const tasks = createTaskRunner({
    ...deps,
    handlers: { 'sync-store': createStoreSyncTask(deps.changes, deps.store) },
    deliver: deps.deliverTasks,
    database: deps.changes,
  });
  tasks.start();
  app.addHook('onClose', () => tasks.stop());
  const photos = createPhotoIntake({ ...deps, bodyTime });
  app.addHook('onClose', () => photos.close());
  const { db } = deps.database;
  const all = {
    ...{ ...deps, bodyTime, inSlices, guard, sessions, photos, wakeTasks: tasks.wake },
    ...{
      large: createLargeReads(db),
      paces: createPaceReader(db),
      listConnections: () => readConnections(deps),
    },
    storeReads: createStoreReads(deps.store, () => readStoreWritePosition(db)),
  };
  const { changes, checkReplies, tallies } = deps;
  const api = { app, db, changes, checkReplies, replies: createJsonReplies(), tallies, securityLog };
  for (const serveSome of routes) await serveSome(api, all);
  return app;
}

const routes = [
  ...[serveHealth, serveAuth, serveSecurity, serveSettings, servePreferences, serveConnections],
  ...[serveUpload, serveEarlierImport, serveFastUpload, serveMapping, serveMappings, serveRereadPreview],
  ...[serveTables, serveValuesSample, serveImports, serveImportActions, serveSearch, serveHistory],
  ...[serveSuppliers, serveLists, serveFolders, serveFeeds, serveRules, serveSources, serveAi],
  ...[serveRows, serveEditHistory, serveCommands, serveRecipes, serveCorrections, servePictures],
  ...[serveProposals, serveFieldValues, serveReport, servePlan, serveChanges, serveStore, serveReadiness],
  ...[serveStoreSync, serveCreateProduct, serveBatchPush, serveScanner, serveLookUpCode],
  ...[serveScannerBatches, servePhotos, serveDashboard, serveAudit, serveBackups, serveDeadWork],
  ...[serveWork, serveConditions, serveSystem],
];

/** Returns ids that are unique across processes, so that a search of the log finds one request. */
function requestIds(): () => string {
  const process = randomUUID().slice(0, 8);
  let requests = 0;
  return () => {
    requests += 1;
    return `${process}-${requests}`;
  };
}

/** Accepts requests with a JSON content type but no body, which some clients send. */
function acceptEmptyBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parseJson(request, body as string, done);
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else done(Object.assign(new Error('Send the body as application/json.'), { statusCode: 415 }));
  });
}

const refusedStatuses: ReadonlySet<number> = new Set([401, 429]);

/** Counts requests and measures the time until their replies begin. Call this function before any route is added. */
function observeRequests(app: FastifyInstance, { metrics, tallies }: ApiDeps): void {
  const began = new WeakMap<FastifyRequest, number>();
  app.addHook('onRequest', (request, _reply, done) => {
    began.set(request, performance.now());
    done();
  });
  app.addHook('onSend', (request, reply, body, done) => {
    tallies.add('http-requests');
    const start = began.get(request);
    const route = routeOf(request.routeOptions.url);
    const status = reply.statusCode;
    if (start !== undefined) {
      const seconds = (performance.now() - start) / 1000;
      metrics.observeRequest({ method: request.method, route, status, seconds });
    }
    if (route === uploadCsv.path && status < 300) metrics.countUpload();
    if (route === login.path && refusedStatuses.has(status)) metrics.countRefusedLogin();
    done(null, body);
  });
}

/** Returns the label of a route in the metrics. Files and unknown addresses share the label 'other'. */
const routeOf = (pattern: string | undefined): string =>
  pattern?.startsWith('/api/') && !pattern.includes('*') ? pattern : 'other';
