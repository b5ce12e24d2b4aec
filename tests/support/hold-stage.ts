import { notifyChunks } from '@draftshelf/database/chunks/notify-chunks';
import type { Stage } from '@draftshelf/domain/stages';
import type { Fixture } from './fixture.ts';

/**
 * Keeps workers from taking further chunks and tasks of a stage, until the returned function is called: the test has
 * the lock that one relay at a time has.
 */
export async function holdStage(
  { database }: Pick<Fixture, 'database'>,
  stage: Stage,
): Promise<() => Promise<void>> {
  const relay = `hashtext('draftshelf'), hashtext('relay ${stage}')`;
  const connection = await database.pool.connect();
  await connection.query(`select pg_advisory_lock(${relay})`);
  return async () => {
    await connection.query(`select pg_advisory_unlock(${relay})`);
    connection.release();
    await notifyChunks(database.db, stage);
  };
}
