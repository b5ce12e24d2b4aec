import { randomUUID } from 'node:crypto';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import type { createQueue } from '@draftshelf/queues/connection';
import type { Logger } from '@draftshelf/runtime/logger';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serveBullBoard } from './bull-board.ts';
import type { ApiDatabases } from './databases.ts';
import { answerBadAddress, answerErrors } from './errors.ts';
import { createGuard, guardApi } from './guard.ts';
import { createJsonReplies } from './json-reply.ts';
import type { UploadLimits } from './receive-csv.ts';
import { serveAuth } from './routes/auth.ts';
import { serveConnections } from './routes/connections.ts';
import { serveHealth } from './routes/health.ts';
import { serveImportActions } from './routes/import-actions.ts';
import { serveImports } from './routes/imports.ts';
import { serveRows } from './routes/rows.ts';
import { serveSettings } from './routes/settings.ts';
import { serveStore } from './routes/store.ts';
import { serveUpload } from './routes/upload.ts';
import { openSessions } from './session.ts';
import { sessionCookies } from './session-cookie.ts';
import { serveWeb } from './static.ts';
import type { StoreConnection } from './store-connection.ts';

export type ApiDeps = ApiDatabases & {
  storage: ObjectStorage;
  store: StoreConnection;
  pingQueue: () => Promise<void>;
  /** Shown to ops by Bull Board. */
  queues: readonly ReturnType<typeof createQueue>[];
  logger: Logger;
  /** Empty: nobody is asked for a key. */
  accessKey: string;
  sessionSecret: string;
  /** Where browsers reach the api. */
  publicUrl: string;
  /** Addresses and networks of the proxies that are believed about whom they ask for; empty: nobody is. */
  trustedProxies: readonly string[];
  webDir: string;
  limits: UploadLimits;
  checkReplies: boolean;
};

/** A connection on which nothing moves for so long is closed; storage and the store give up earlier. */
const silenceMsMax = 120_000;

/** Builds the api with all its routes; the caller listens or injects. */
export async function buildApi(deps: ApiDeps): Promise<FastifyInstance> {
  const app = Fastify({
    // Not as loggerInstance: with one Fastify makes a child of it and two listeners for every request, a tenth of a poll.
    childLoggerFactory: () => deps.logger as FastifyBaseLogger,
    // Screens poll every two seconds: a line per request says nothing. Failures are logged by errors.ts.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    connectionTimeout: silenceMsMax,
    frameworkErrors: answerBadAddress,
    // With it request.ip, by which logins are limited, is the client's. Guard and cookies read neither host nor protocol.
    trustProxy: deps.trustedProxies.length > 0 && [...deps.trustedProxies],
  });
  // Silence ends idle connections too. A limit of their own, which no option of Fastify takes away, would set two
  // timers anew in every request.
  app.server.keepAliveTimeout = 0;
  answerErrors(app);
  acceptEmptyBodies(app);
  const sessions = openSessions({ ...deps, cookies: await sessionCookies(app, deps) });
  const guard = createGuard(sessions, deps.publicUrl);
  guardApi(app, guard);
  await serveWeb(app, { webDir: deps.webDir, csvBytesMax: deps.limits.csvBytesMax });
  await serveBullBoard(app, { queues: deps.queues, guard });

  const api = { app, checkReplies: deps.checkReplies, replies: createJsonReplies() };
  serveHealth(api, deps);
  serveAuth(api, { sessions });
  await serveUpload(api, deps);
  serveImports(api, deps);
  serveImportActions(api, deps);
  serveRows(api, { ...deps, storeUrlOf: deps.store.productUrl });
  serveSettings(api, deps);
  serveConnections(api, deps);
  serveStore(api, deps);
  return app;
}

/** Ids that no other request has, in no other process either: the log is searched for them. */
function requestIds(): () => string {
  const process = randomUUID().slice(0, 8);
  let requests = 0;
  return () => {
    requests += 1;
    return `${process}-${requests}`;
  };
}

/** Calls without a body may name any content type, as the specification's client does (decision O6). */
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
