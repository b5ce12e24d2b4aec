import { health, ready } from '@draftshelf/contract/operate/health';
import { answerWithin } from '@draftshelf/runtime/answer-within';
import type { FastifyRequest } from 'fastify';
import { memoizeFor } from '../http/memoize-for.ts';
import { type Api, serve } from '../http/serve.ts';
import type { Sessions } from '../http/session.ts';
import { type CheckDeps, checkDatabase, checkServices } from './check-services.ts';

/** Both calls are open, so a flood of them must not become a flood of queries. */
const cached = { msMax: 1_000, keysMax: 1 };
const sessionMsMax = 2_000;

/** Without queue or storage the screens work and show it, so those are only in the details, which need a session. */
export function serveHealth(api: Api, deps: CheckDeps & { sessions: Sessions }): void {
  const database = memoizeFor(() => checkDatabase(deps), cached);
  const services = memoizeFor(() => checkServices(deps), cached);
  const isSignedIn = (request: FastifyRequest) =>
    answerWithin(sessionMsMax, 'The session', async () => deps.sessions.isAuthenticated(request)).catch(
      () => false,
    );
  serve(api, health, async () => ({ status: 'ok' as const }), { open: true });
  serve(
    api,
    ready,
    async ({ reply, request }) => {
      const [{ ok }, isIn] = await Promise.all([database.get(''), isSignedIn(request)]);
      if (!ok) reply.code(503);
      return { ready: ok, ...(isIn ? await services.get('') : {}) };
    },
    { open: true },
  );
}
