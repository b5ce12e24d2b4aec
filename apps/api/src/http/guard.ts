import { isLocalHost } from '@draftshelf/domain/base/web-address';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodyTimeLimit } from './body-time.ts';
import { Refusal } from './refusal.ts';
import type { SecurityLog } from './security-log.ts';
import type { Sessions } from './session.ts';

const isApiPath = (path: string): boolean => /^\/api(?:[/?]|$)/.test(path);

/** Returns whether a request is for the api. Tests the raw URL and the route: the router accepts encoded paths too. */
export function isApiRequest(request: FastifyRequest): boolean {
  return isApiPath(request.url) || isApiPath(request.routeOptions.url ?? '');
}

export type Guard = ReturnType<typeof createGuard>;

export function createGuard(
  sessions: Sessions,
  publicUrl: string,
  { countRefused }: Pick<SecurityLog, 'countRefused'>,
) {
  const { host: publicHost, origin: publicOrigin, protocol } = new URL(publicUrl);
  // Returns the browser's scheme. A trusted proxy sends this scheme in X-Forwarded-Proto.
  const schemeOf = (request: FastifyRequest) => (protocol === 'https:' ? 'https' : request.protocol);
  const refuse = (request: FastifyRequest, code: 'foreign_origin' | 'foreign_host', message: string) => {
    countRefused(request, 'origin');
    return new Refusal(403, { code, message });
  };
  return {
    /** Throws a Refusal for a request from another website or under another host name. */
    requireSameOrigin(request: FastifyRequest): void {
      if (!isOwnOrigin(request.headers, { publicOrigin, scheme: schemeOf(request) })) {
        throw refuse(request, 'foreign_origin', 'This request came from another site and was blocked.');
      }
      if (!sessions.requiresAuth && !isLoopbackHost(request.headers.host, publicHost)) {
        throw refuse(
          request,
          'foreign_host',
          'Without an access key, only requests from this machine to its loopback address are accepted.',
        );
      }
    },
    /** Throws a Refusal for a foreign host name. By DNS rebinding, a website could lock this client out of logins. */
    requireKnownHost(request: FastifyRequest): void {
      const { origin, host = '' } = request.headers;
      if (origin === publicOrigin || host === publicHost || isLocalHost(host)) return;
      const message = `Sign in at ${publicOrigin}, or set PUBLIC_URL to the address that you use.`;
      throw refuse(request, 'foreign_host', message);
    },
    async requireSession(request: FastifyRequest): Promise<void> {
      if (await sessions.isAuthenticated(request)) return;
      countRefused(request, 'session');
      throw new Refusal(401, { code: 'unauthorized', message: 'Please sign in.' });
    },
    /** Returns the origin at which the client reaches the api. */
    originOf(request: FastifyRequest): string {
      const { origin, host } = request.headers;
      // The guard has already checked the origin. Pages may PUT only to their own origin.
      if (origin !== undefined) return new URL(origin).origin;
      return isLoopbackHost(host, publicHost) && host !== publicHost
        ? `${request.protocol}://${host}`
        : publicOrigin;
    },
  };
}

/** Checks api requests: the origin, and the session except on open routes. The check does not count as body time. */
export function guardApi(app: FastifyInstance, guard: Guard, bodyTime: Pick<BodyTimeLimit, 'hold'>): void {
  app.addHook('onRequest', async (request) => {
    if (!isApiRequest(request)) return;
    guard.requireSameOrigin(request);
    if (request.routeOptions.config.open === true) return;
    const check = guard.requireSession(request);
    bodyTime.hold(request, check);
    await check;
  });
}

type OwnOrigin = { publicOrigin: string; scheme: string };

// Browsers send the page's origin with every change. The scheme must match too, because anyone on the network can
// forge a page over HTTP. Other programs send no origin, which is allowed.
export function isOwnOrigin(
  headers: { origin?: string; host?: string },
  { publicOrigin, scheme }: OwnOrigin,
): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const sent = new URL(origin).origin;
  return sent === publicOrigin || (host !== undefined && sent === `${scheme}://${host}`);
}

/** Returns whether Host is a loopback name. By DNS rebinding, another website's name can point to this machine. */
function isLoopbackHost(host: string | undefined, publicHost: string): boolean {
  if (host === undefined) return false;
  return host === publicHost || /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host);
}
