import { wakeRelay } from '@draftshelf/core/work/notify-chunks';
import type { Stage } from '@draftshelf/domain/imports/stages';
import type { Fixture } from './fixture.ts';

/**
 * Keeps workers from taking further chunks and tasks of a stage, until the returned function is called: the test has
 * the locks that one relay and one sweep at a time have. A sweep would publish again what the test claims by itself.
 */
export async function holdStage(
  { database }: Pick<Fixture, 'database'>,
  stage: Stage,
): Promise<() => Promise<void>> {
  const keys = ['relay', 'sweep'].map((name) => `hashtext('draftshelf'), hashtext('${name} ${stage}')`);
  const connection = await database.pool.connect();
  for (const key of keys) await connection.query(`select pg_advisory_lock(${key})`);
  return async () => {
    for (const key of keys) await connection.query(`select pg_advisory_unlock(${key})`);
    connection.release();
    await wakeRelay(database.db, stage);
  };
}
