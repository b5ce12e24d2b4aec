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

type Guarding = { sessions: Sessions; publicUrl: string };

/** Refuses calls from other origins, and calls without a session of routes that are not open (decision P20). */
export function guardApi(app: FastifyInstance, deps: Guarding): void {
  app.addHook('onRequest', async (request) => {
    if (!isApiRequest(request)) return;
    refuseForeign(request, deps);
    if (request.routeOptions.config.open === true) return;
    if (!(await deps.sessions.isAuthenticated(request))) throw notSignedIn();
  });
}

export const notSignedIn = () => new Refusal(401, { code: 'unauthorized', message: 'Please sign in.' });

/** Throws the Refusal of a call that another website has made, or another name of this machine. */
export function refuseForeign(request: FastifyRequest, { sessions, publicUrl }: Guarding): void {
  const publicHost = new URL(publicUrl).host;
  if (!isOwnOrigin(request.headers, publicHost)) {
    throw new Refusal(403, { code: 'foreign_origin', message: 'This call comes from another website.' });
  }
  if (!sessions.requiresAuth && !isLoopbackHost(request.headers.host, publicHost)) {
    throw new Refusal(403, {
      code: 'foreign_host',
      message: 'Without an access key only this machine is answered, under its loopback address.',
    });
  }
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
