import { health, ready } from '@draftshelf/contract/health';
import type { OpenDatabase } from '@draftshelf/database/connection/database';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { bucketExists } from '@draftshelf/object-storage/objects';
import { answerWithin } from '@draftshelf/runtime/answer-within';
import { type Api, serve } from '../serve.ts';

type Deps = { database: OpenDatabase; storage: ObjectStorage; pingQueue: () => Promise<void> };

const answerMsMax = 2_000;

/** Liveness, and readiness: whether database, queue and storage respond in time. */
export function serveHealth(api: Api, { database, storage, pingQueue }: Deps): void {
  serve(api, health, async () => ({ status: 'ok' as const }), { open: true });
  serve(
    api,
    ready,
    async ({ reply, request }) => {
      const check = async (part: string, ask: () => Promise<unknown>) => {
        const began = performance.now();
        const took = () => Math.round(performance.now() - began);
        try {
          await answerWithin(answerMsMax, part, ask);
          return { ok: true, message: null, tookMs: took() };
        } catch (error) {
          request.log.warn({ err: error, part, reqId: request.id }, 'not ready');
          return { ok: false, message: `${part} isn’t responding.`, tookMs: took() };
        }
      };
      const [databaseCheck, queueCheck, storageCheck] = await Promise.all([
        check('The database', () => database.pool.query('select 1')),
        check('The queue', pingQueue),
        check('Object storage', async () => {
          if (!(await bucketExists(storage))) throw new Error('The bucket doesn’t exist');
        }),
      ]);
      const isReady = databaseCheck.ok && queueCheck.ok && storageCheck.ok;
      if (!isReady) reply.code(503);
      return { ready: isReady, database: databaseCheck, queue: queueCheck, storage: storageCheck };
    },
    { open: true },
  );
}
