import { sealAgain } from '@draftshelf/database/access/credentials';
import { sealingKeysOf } from '@draftshelf/database/access/key-ring';
import { connectProblem } from '@draftshelf/database/connection/connect-problem';
import { openDatabase } from '@draftshelf/database/connection/database';
import { grantToAppRole } from '@draftshelf/database/migrations/app-role';
import { migrate } from '@draftshelf/database/migrations/migrate';
import { orExit, readEnv } from '@draftshelf/runtime/env';
import { envSchema } from '@draftshelf/runtime/env-catalog';

const env = orExit(() => readEnv(envSchema('migrate'), process.env));
/** Others wait behind a migration that waits for a lock. It is tried again. */
const lockMsMax = 2_000;
/** A database that has just begun on a busy machine answers late, and nobody starts the containers' migration again. */
const connectMsMax = 60_000;
const database = openDatabase({
  connectionString: env.DATABASE_URL,
  applicationName: 'draftshelf-migrate',
  poolMax: 2,
  lockMsMax,
  connectMsMax,
});
try {
  const done = await migrate(database);
  console.log(done.length === 0 ? 'The schema is up to date.' : `Migrated: ${done.join(', ')}`);
  const role =
    env.APP_DATABASE_URL === undefined ? null : await grantToAppRole(database, env.APP_DATABASE_URL);
  const keys = sealingKeysOf(env);
  // Before any worker starts: it can open only what is sealed with its own key. What cannot be opened the api reports.
  if (keys !== null) await sealAgain(database.db, keys);
  if (role !== null) console.log(`${role} may read and change the rows of all tables.`);
} catch (error) {
  const problem = connectProblem(error);
  if (problem === undefined) throw error;
  console.error(problem);
  process.exitCode = 1;
} finally {
  await database.close();
}
