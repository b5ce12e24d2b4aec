import { setTimeout as pause } from 'node:timers/promises';
import { resealCredentials } from '@draftshelf/core/access/credentials';
import { deriveAllSealingKeys } from '@draftshelf/core/access/sealing';
import { describeConnectError } from '@draftshelf/core/connection/connect-problem';
import { openDatabase } from '@draftshelf/core/connection/database';
import { grantToAppRole } from '@draftshelf/core/migrations/app-role';
import { migrate } from '@draftshelf/core/migrations/migrate';
import { countMissingMigrations } from '@draftshelf/core/migrations/schema-gate';
import { fillEffectiveValues } from '@draftshelf/core/review/fill-rows';
import { listWorkingProcesses } from '@draftshelf/core/work/processes';
import { exitOnConfigurationError, readEnv } from '@draftshelf/runtime/env';
import { createEnvSchema } from '@draftshelf/runtime/env-catalog';

const env = exitOnConfigurationError(() => readEnv(createEnvSchema('migrate'), process.env));
/** Time to connect. A database that has just started responds late, and containers do not retry their migration. */
const connectMsMax = 60_000;
/** Time for processes to stop. Compose and Kubernetes stop them within 45 s; elsewhere, a person may have to do it. */
const stopMsMax = 10 * 60_000;
const lookEveryMs = 1_000;
/** Time to wait for a table's lock. Only a backup, or a person working on the database, holds one for long. */
const lockMsMax = 60_000;
const database = openDatabase({
  connectionString: env.DATABASE_URL,
  applicationName: 'draftshelf-migrate',
  poolMax: 2,
  lockMsMax,
  connectMsMax,
});
try {
  await waitForProcesses();
  const done = await migrate(database);
  console.log(done.length === 0 ? 'The schema is up to date.' : `Migrated: ${done.join(', ')}`);
  const filled = await fillEffectiveValues(database);
  if (filled > 0) console.log(`Filled the rows of ${filled} runs.`);
  const role =
    env.APP_DATABASE_URL === undefined ? null : await grantToAppRole(database, env.APP_DATABASE_URL);
  const keys = deriveAllSealingKeys(env);
  // Credentials are resealed before workers start, because each worker opens only values sealed with its own key. The
  // api reports values that no key opens.
  if (keys !== null) await resealCredentials(database.db, keys);
  if (role !== null) console.log(`${role} may read and change the rows of all tables.`);
} catch (error) {
  const problem = describeConnectError(error);
  if (problem === undefined) throw error;
  console.error(problem);
  process.exitCode = 1;
} finally {
  await database.close();
}

/** Waits until all processes have stopped, because a migration changes what they use. Throws if they do not stop. */
async function waitForProcesses(): Promise<void> {
  if ((await countMissingMigrations(database.db)) === 0) return;
  const until = performance.now() + stopMsMax;
  for (let said = ''; ; await pause(lookEveryMs)) {
    const working = await listWorkingProcesses(database.db);
    if (working.length === 0) return;
    const names = working.map(
      ({ kind, version, host, pid }) => `${kind} ${version} (${host}, process ${pid})`,
    );
    const sentence = `The database is migrated when these processes have stopped: ${names.join(', ')}.`;
    if (performance.now() > until)
      throw new Error(`${sentence} Nothing was changed. Stop them, then start again.`);
    if (sentence !== said) console.log(sentence);
    said = sentence;
  }
}
