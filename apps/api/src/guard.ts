import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from './refusal.ts';
import type { Sessions } from './session.ts';

const isApiPath = (path: string): boolean => /^\/api(?:[/?]|$)/.test(path);

/**
 * Whether a request is for the api: by its address as it came, or by the matched route, because the router decodes
 * paths and an address may be written in many ways.
 */
export function isApiRequest(request: FastifyRequest): boolean {
  return isApiPath(request.url) || isApiPath(request.routeOptions.url ?? '');
}

export type Guard = {
  /** Throws the Refusal of a call that another website has made, or another name of this machine. */
  requireSameOrigin(request: FastifyRequest): void;
  /** Throws the Refusal of a call without a session; at once where the session is known, else by the promise. */
  requireSession(request: FastifyRequest): void | Promise<void>;
};

/** Who is kept out (decision P20). */
export function createGuard(sessions: Sessions, publicUrl: string): Guard {
  const publicHost = new URL(publicUrl).host;
  return {
    requireSameOrigin(request) {
      if (!isOwnOrigin(request.headers, publicHost)) {
        throw new Refusal(403, {
          code: 'foreign_origin',
          message: 'This request came from another site and was blocked.',
        });
      }
      if (!sessions.requiresAuth && !isLoopbackHost(request.headers.host, publicHost)) {
        throw new Refusal(403, {
          code: 'foreign_host',
          message: 'Without an access key, only requests from this machine to its loopback address are accepted.',
        });
      }
    },
    requireSession(request) {
      const isIn = sessions.isAuthenticated(request);
      return typeof isIn === 'boolean' ? admit(isIn) : isIn.then(admit);
    },
  };
}

function admit(isAuthenticated: boolean): void {
  if (!isAuthenticated) throw new Refusal(401, { code: 'unauthorized', message: 'Please sign in.' });
}

/** Guards every route of the api, those that are open from other websites only. */
export function guardApi(app: FastifyInstance, guard: Guard): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isApiRequest(request)) return done();
    guard.requireSameOrigin(request);
    const asked = request.routeOptions.config.open === true ? undefined : guard.requireSession(request);
    if (asked) asked.then(() => done(), done);
    else done();
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
