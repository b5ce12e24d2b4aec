import type { OpenDatabase } from '@draftshelf/database/connection/database';
import { pingSessions } from '@draftshelf/database/sessions';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { bucketExists } from '@draftshelf/object-storage/objects';
import { answerWithin } from '@draftshelf/runtime/answer-within';
import type { FastifyRequest } from 'fastify';

export type CheckDeps = { database: OpenDatabase; storage: ObjectStorage; pingQueue: () => Promise<void> };

const answerMsMax = 2_000;

/** Whether database, queue, storage and the session store respond in time. Failures are logged with their cause. */
export async function checkServices({ database, storage, pingQueue }: CheckDeps, request: FastifyRequest) {
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
  const [databaseCheck, queue, storageCheck, sessions] = await Promise.all([
    check('The database', () => database.pool.query('select 1')),
    check('The queue', pingQueue),
    check('Object storage', async () => {
      if (!(await bucketExists(storage))) throw new Error('The bucket doesn’t exist');
    }),
    check('The session store', () => pingSessions(database.db)),
  ]);
  return { database: databaseCheck, queue, storage: storageCheck, sessions };
}
