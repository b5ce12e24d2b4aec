import { randomUUID } from 'node:crypto';
import { readStoreWrites } from '@draftshelf/database/store/store-writes';
import type { Tallies } from '@draftshelf/domain/tallies';
import type { FileLimits } from '@draftshelf/imports/intake/take-file';
import type { Retention } from '@draftshelf/imports/retention/remove-old';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import type { createQueue } from '@draftshelf/queues/connection';
import type { Logger } from '@draftshelf/runtime/logger';
import type { ImageChecker } from '@draftshelf/sources/image-checker';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { AiDeps } from './ai-service.ts';
import type { BodyPace } from './body-pace.ts';
import { limitBodyTime } from './body-time.ts';
import { serveBullBoard } from './bull-board.ts';
import type { ConditionWatch } from './conditions/watch-conditions.ts';
import type { ApiDatabases } from './databases.ts';
import { handleErrors, replyToBadUrl } from './error-handler.ts';
import { createGuard, guardApi } from './guard.ts';
import { createJsonReplies } from './json-reply.ts';
import { observeRequests, type RequestMetrics } from './observe-requests.ts';
import { paceReader } from './paces.ts';
import { createPhotoIntake } from './photo-intake.ts';
import { serveAi } from './routes/ai.ts';
import { serveAudit } from './routes/audit.ts';
import { serveAuth } from './routes/auth.ts';
import { serveBatchPush } from './routes/batch-push.ts';
import { serveCommands } from './routes/commands.ts';
import { serveConditions } from './routes/conditions.ts';
import { readConnections, serveConnections } from './routes/connections.ts';
import { serveCreateProduct } from './routes/create-product.ts';
import { serveDashboard } from './routes/dashboard.ts';
import { serveDeadWork } from './routes/dead-work.ts';
import { serveEarlierImport } from './routes/earlier-import.ts';
import { serveEditHistory } from './routes/edit-history.ts';
import { serveFastUpload } from './routes/fast-upload.ts';
import { serveFieldValues } from './routes/field-values.ts';
import { serveFind } from './routes/find.ts';
import { serveFolders } from './routes/folders.ts';
import { serveHealth } from './routes/health.ts';
import { serveHistory } from './routes/history.ts';
import { serveImportActions } from './routes/import-actions.ts';
import { serveImports } from './routes/imports.ts';
import { serveLookUpCode } from './routes/look-up-code.ts';
import { serveLookups } from './routes/lookups.ts';
import { serveMapping, serveMappings } from './routes/mapping.ts';
import { servePhotos } from './routes/photos.ts';
import { servePlan } from './routes/plan.ts';
import { servePreferences } from './routes/preferences.ts';
import { serveProposals } from './routes/proposals.ts';
import { servePushUndo } from './routes/push-undo.ts';
import { serveReport } from './routes/report.ts';
import { serveRereadPreview } from './routes/reread-preview.ts';
import { serveRows } from './routes/rows.ts';
import { serveRules } from './routes/rules.ts';
import { serveScanner } from './routes/scanner.ts';
import { serveScannerBatches } from './routes/scanner-batches.ts';
import { serveSecurity } from './routes/security.ts';
import { serveSettings } from './routes/settings.ts';
import { serveSources } from './routes/sources.ts';
import { serveStore } from './routes/store.ts';
import { serveStoreSync } from './routes/store-sync.ts';
import { serveSystem } from './routes/system.ts';
import { serveUpload } from './routes/upload.ts';
import { serveValuesSample } from './routes/values-sample.ts';
import { openSecurityLog } from './security-log.ts';
import { openSessions } from './session.ts';
import { sessionCookies } from './session-cookie.ts';
import type { SourceKeysDeps } from './source-keys.ts';
import { serveWeb } from './static.ts';
import type { StoreConnection } from './store-connection.ts';
import { createStoreReads } from './store-reads.ts';

export type ApiDeps = ApiDatabases &
  AiDeps &
  SourceKeysDeps & {
    storage: ObjectStorage;
    store: StoreConnection;
    pingQueue: () => Promise<void>;
    /** Shown in Bull Board. */
    queues: readonly ReturnType<typeof createQueue>[];
    logger: Logger;
    tallies: Tallies;
    metrics: RequestMetrics;
    conditions: ConditionWatch;
    /** Empty: no sign-in. */
    accessKey: string;
    sessionSecret: string;
    /** The URL at which browsers reach the api. */
    publicUrl: string;
    /** Addresses and networks of proxies whose X-Forwarded headers are trusted; empty: none. */
    trustedProxies: readonly string[];
    webDir: string;
    limits: FileLimits;
    /** The hosts that pictures may be on; none: any. */
    imageHosts: readonly string[];
    /** Checks the pictures of sources' answers to scans. */
    images: ImageChecker;
    /** The address of the simulated store that was saved at the start, or null. */
    demoStoreUrl: string | null;
    checkReplies: boolean;
    /** The days that the environment sets for retention. */
    retention: Partial<Retention>;
    /** How long a poll that waits for an import is held. */
    pollHeldMsMax: number;
    /** How fast a body has to arrive while others wait for its place. */
    bodyPace: BodyPace;
  };

/** An inactive connection is closed after this time. Storage and store calls time out earlier. */
const silenceMsMax = 120_000;

/** The time that the body of a request has to arrive. */
const bodyMsMax = 10_000;
/** The same for uploads by a client with a session: 5 minutes for 50 MB, and in proportion for larger limits. */
const uploadMsMin = 300_000;
const uploadBytesPerMs = 175;

const connectionsMax = 5_000;

/** Builds the api with all its routes. The caller listens or injects. */
export async function buildApi(deps: ApiDeps): Promise<FastifyInstance> {
  const uploadMsMax = Math.max(uploadMsMin, Math.ceil(deps.limits.csvBytesMax / uploadBytesPerMs));
  const app = Fastify({
    // With loggerInstance, Fastify would create a child logger and two listeners per request, a tenth of a poll's time.
    childLoggerFactory: () => deps.logger as FastifyBaseLogger,
    // Screens poll every two seconds, so request logs are useless. error-handler.ts logs failures.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    connectionTimeout: silenceMsMax,
    requestTimeout: uploadMsMax,
    frameworkErrors: replyToBadUrl,
    // Makes request.ip the client's address, which limits logins. Guard and cookies do not use host or protocol.
    trustProxy: deps.trustedProxies.length > 0 && [...deps.trustedProxies],
  });
  // connectionTimeout closes idle connections too. A keep-alive timeout, which no Fastify option turns off, would reset
  // two timers per request.
  app.server.keepAliveTimeout = 0;
  app.server.maxConnections = connectionsMax;
  const bodyTime = limitBodyTime(app, { bodyMsMax, longBodyMsMax: uploadMsMax });
  handleErrors(app, deps.tallies);
  app.addHook('onSend', (_request, _reply, body, done) => {
    deps.tallies.add('http-requests');
    done(null, body);
  });
  observeRequests(app, deps.metrics);
  acceptEmptyBodies(app);
  const securityLog = openSecurityLog(deps);
  app.addHook('onClose', () => securityLog.close());
  const sessions = openSessions({ ...deps, cookies: await sessionCookies(app, deps), securityLog });
  const guard = createGuard(sessions, deps.publicUrl, securityLog);
  guardApi(app, guard);
  await serveWeb(app, { ...deps, csvBytesMax: deps.limits.csvBytesMax });
  await serveBullBoard(app, { queues: deps.queues, guard });

  const { checkReplies, tallies } = deps;
  const api = { app, checkReplies, replies: createJsonReplies(), tallies };
  serveHealth(api, { ...deps, sessions });
  serveAuth(api, { sessions, guard });
  await serveUpload(api, { ...deps, bodyTime });
  serveEarlierImport(api, deps);
  await serveFastUpload(api, { ...deps, bodyTime });
  const paces = paceReader(deps.database.db);
  serveImports(api, { ...deps, paces });
  serveImportActions(api, { ...deps, securityLog });
  serveMapping(api, deps);
  serveMappings(api, deps);
  serveRereadPreview(api, deps);
  serveRows(api, deps);
  serveEditHistory(api, deps);
  serveCommands(api, { ...deps, securityLog });
  serveFind(api, deps);
  serveLookups(api, deps);
  serveProposals(api, deps);
  serveAi(api, { ...deps, securityLog });
  serveReport(api, deps);
  servePlan(api, deps);
  servePushUndo(api, { ...deps, securityLog });
  serveFieldValues(api, deps);
  serveValuesSample(api, deps);
  serveDashboard(api, { ...deps, paces });
  serveHistory(api, deps);
  serveSettings(api, { ...deps, securityLog });
  servePreferences(api, { ...deps, securityLog });
  serveRules(api, deps);
  serveSources(api, { ...deps, securityLog });
  const storeReads = createStoreReads(deps.store, () => readStoreWrites(deps.database.db));
  serveConnections(api, { ...deps, storeReads, securityLog });
  serveFolders(api, { ...deps, securityLog });
  serveStore(api, { ...deps, storeReads });
  serveStoreSync(api, { ...deps, storeReads });
  serveCreateProduct(api, { ...deps, securityLog });
  serveBatchPush(api, { ...deps, securityLog });
  const photos = createPhotoIntake({ ...deps, bodyTime });
  app.addHook('onClose', () => photos.close());
  await serveScanner(api, { ...deps, securityLog, photos });
  serveLookUpCode(api, deps);
  serveScannerBatches(api, deps);
  await servePhotos(api, { ...deps, guard, bodyTime });
  serveSecurity(api, deps);
  serveAudit(api, deps);
  serveDeadWork(api, { ...deps, securityLog });
  serveConditions(api, deps);
  serveSystem(api, { ...deps, listConnections: () => readConnections(deps) });
  return app;
}

/** Request ids that are unique across processes, so that the log can be searched for them. */
function requestIds(): () => string {
  const process = randomUUID().slice(0, 8);
  let requests = 0;
  return () => {
    requests += 1;
    return `${process}-${requests}`;
  };
}

/** Accepts empty bodies of any content type: the specification's client sends JSON headers without a body. */
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
