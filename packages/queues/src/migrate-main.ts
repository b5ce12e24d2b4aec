import { grantToAppRole } from '@draftshelf/database/app-role';
import { openDatabase } from '@draftshelf/database/connection/database';
import { migrate } from '@draftshelf/database/migrate';
import { orExit, readEnv } from '@draftshelf/runtime/env';
import { envSchema } from '@draftshelf/runtime/env-catalog';

const env = orExit(() => readEnv(envSchema('migrate'), process.env));
/** Others wait behind a migration that waits for a lock. It is tried again. */
const lockMsMax = 2_000;
const database = openDatabase({
  connectionString: env.DATABASE_URL,
  applicationName: 'draftshelf-migrate',
  poolMax: 2,
  lockMsMax,
});
try {
  const done = await migrate(database);
  console.log(done.length === 0 ? 'The schema is up to date.' : `Migrated: ${done.join(', ')}`);
  const role =
    env.APP_DATABASE_URL === undefined ? null : await grantToAppRole(database, env.APP_DATABASE_URL);
  if (role !== null) console.log(`${role} may read and change the rows of all tables.`);
} finally {
  await database.close();
}
