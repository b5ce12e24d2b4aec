import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from './refusal.ts';
import type { Sessions } from './session.ts';

const isApiPath = (path: string): boolean => /^\/api(?:[/?]|$)/.test(path);

/** The route of the web's files, which any GET matches that no other route does. */
const filesRoute = '/*';

/**
 * Whether a request is for the api. The matched route decides where there is one, because the router decodes paths
 * and the address as it came may be written in many ways.
 */
export function isApiRequest(request: FastifyRequest): boolean {
  const route = request.routeOptions.url;
  return isApiPath(route === undefined || route === filesRoute ? request.url : route);
}

export type Guard = {
  /** Throws the Refusal of a call that another website has made, or another name of this machine. */
  refuseForeign(request: FastifyRequest): void;
  /** Throws the Refusal of a call without a session. */
  refuseStranger(request: FastifyRequest): Promise<void>;
};

/** Who is kept out (decision P20). */
export function createGuard(sessions: Sessions, publicUrl: string): Guard {
  const publicHost = new URL(publicUrl).host;
  return {
    refuseForeign(request) {
      if (!isOwnOrigin(request.headers, publicHost)) {
        throw new Refusal(403, { code: 'foreign_origin', message: 'This call comes from another website.' });
      }
      if (!sessions.requiresAuth && !isLoopbackHost(request.headers.host, publicHost)) {
        throw new Refusal(403, {
          code: 'foreign_host',
          message: 'Without an access key only this machine is answered, under its loopback address.',
        });
      }
    },
    async refuseStranger(request) {
      if (await sessions.isAuthenticated(request)) return;
      throw new Refusal(401, { code: 'unauthorized', message: 'Please sign in.' });
    },
  };
}

/** Guards every route of the api, those that are open from other websites only. */
export function guardApi(app: FastifyInstance, guard: Guard): void {
  app.addHook('onRequest', async (request) => {
    if (!isApiRequest(request)) return;
    guard.refuseForeign(request);
    if (request.routeOptions.config.open !== true) await guard.refuseStranger(request);
  });
}

/** A browser names the page's origin in calls that change something; a program that is no browser names none. */
export function isOwnOrigin(headers: { origin?: string; host?: string }, publicHost: string): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const originHost = new URL(origin).host;
  return originHost !== '' && (originHost === host || originHost === publicHost);
}

/** Another website can point its own name at this machine; its name then stands in Host. */
function isLoopbackHost(host: string | undefined, publicHost: string): boolean {
  if (host === undefined) return false;
  return host === publicHost || /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host);
}
