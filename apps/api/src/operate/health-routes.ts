import { health, ready } from '@draftshelf/contract/operate/health';
import { pingSessions } from '@draftshelf/core/access/sessions';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { bucketExists } from '@draftshelf/object-storage/objects';
import { callWithTimeout } from '@draftshelf/runtime/answer-within';
import type { Logger } from '@draftshelf/runtime/logger';
import type { FastifyRequest } from 'fastify';
import { memoizeByKey } from '../http/memoize-for.ts';
import { type Api, serve } from '../http/serve.ts';
import type { Sessions } from '../http/session.ts';

export type HealthCheckDeps = {
  database: OpenDatabase;
  storage: ObjectStorage;
  pingQueue: () => Promise<void>;
  logger: Logger;
};

/** Both routes are open. Cached results keep a flood of requests from becoming a flood of queries. */
const cached = { msMax: 1_000, keysMax: 1 };
const answerMsMax = 2_000;

/** Serves the health checks. Screens need neither queue nor storage, so only clients with a session check these. */
export function serveHealth(api: Api, deps: HealthCheckDeps & { sessions: Sessions }): void {
  const database = memoizeByKey(() => checkDatabase(deps), cached);
  const services = memoizeByKey(() => checkServices(deps), cached);
  const isSignedIn = (request: FastifyRequest) =>
    callWithTimeout(answerMsMax, 'The session', () => deps.sessions.isAuthenticated(request)).catch(
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

function checkDatabase({ database, logger }: Pick<HealthCheckDeps, 'database' | 'logger'>) {
  return check(logger, 'The database', () => database.pool.query('select 1'));
}

export async function checkServices({ database, storage, pingQueue, logger }: HealthCheckDeps) {
  const [databaseCheck, queue, storageCheck, sessions] = await Promise.all([
    checkDatabase({ database, logger }),
    check(logger, 'The queue', pingQueue),
    check(logger, 'Object storage', async () => {
      if (!(await bucketExists(storage))) throw new Error('The bucket doesn’t exist');
    }),
    check(logger, 'The session store', () => pingSessions(database.db)),
  ]);
  return { database: databaseCheck, queue, storage: storageCheck, sessions };
}

async function check(logger: Logger, part: string, ask: () => Promise<unknown>) {
  const began = performance.now();
  const took = () => Math.round(performance.now() - began);
  try {
    await callWithTimeout(answerMsMax, part, ask);
    return { ok: true, message: null, tookMs: took() };
  } catch (err) {
    logger.warn({ err, part }, 'not ready');
    return { ok: false, message: `${part} isn’t responding.`, tookMs: took() };
  }
}
