import { login } from '@draftshelf/contract/access/auth';
import { uploadCsv } from '@draftshelf/contract/reading/upload';
import type { Metrics } from '@draftshelf/runtime/metrics';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export type RequestMetrics = Pick<Metrics, 'observeRequest' | 'countUpload' | 'countRefusedLogin'>;

const refusedStatuses: ReadonlySet<number> = new Set([401, 429]);

/** Measures the time until answers begin. Call it before any route is added. */
export function observeRequests(app: FastifyInstance, metrics: RequestMetrics): void {
  const began = new WeakMap<FastifyRequest, number>();
  app.addHook('onRequest', (request, _reply, done) => {
    began.set(request, performance.now());
    done();
  });
  app.addHook('onSend', (request, reply, body, done) => {
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

/** Addresses of files and unknown ones share a name. */
const routeOf = (pattern: string | undefined): string =>
  pattern?.startsWith('/api/') && !pattern.includes('*') ? pattern : 'other';
