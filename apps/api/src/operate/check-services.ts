import { pingSessions } from '@draftshelf/core/access/sessions';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { bucketExists } from '@draftshelf/object-storage/objects';
import { answerWithin } from '@draftshelf/runtime/answer-within';
import type { Logger } from '@draftshelf/runtime/logger';

export type CheckDeps = {
  database: OpenDatabase;
  storage: ObjectStorage;
  pingQueue: () => Promise<void>;
  logger: Logger;
};

const answerMsMax = 2_000;

export function checkDatabase({ database, logger }: Pick<CheckDeps, 'database' | 'logger'>) {
  return check(logger, 'The database', () => database.pool.query('select 1'));
}

export async function checkServices({ database, storage, pingQueue, logger }: CheckDeps) {
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
    await answerWithin(answerMsMax, part, ask);
    return { ok: true, message: null, tookMs: took() };
  } catch (err) {
    logger.warn({ err, part }, 'not ready');
    return { ok: false, message: `${part} isn’t responding.`, tookMs: took() };
  }
}
