import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@draftshelf/core/connection/database';
import { migrate } from '@draftshelf/core/migrations/migrate';
import { startPostgres } from '@draftshelf/infra/embedded-postgres';
import { describeMachine } from './figures.ts';
import { familyProcessorSeconds } from './processor.ts';

/** Opens a migrated database on a Postgres of its own, without the product's processes, and prints the machine. */
export async function openBenchDatabase() {
  const dir = await mkdtemp(join(tmpdir(), 'draftshelf-bench-'));
  const postgres = await startPostgres({ dir: join(dir, 'postgres') });
  const database = openDatabase({ connectionString: postgres.url, applicationName: 'draftshelf-bench' });
  const close = async () => {
    await database.close();
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await migrate(database);
    console.log(await describeMachine(database));
  } catch (error) {
    await close();
    throw error;
  }
  /** Seconds of processor time that Postgres has used so far. */
  const processorSeconds = () => familyProcessorSeconds(postgres.pid() ?? 0);
  return { database, ...database, processorSeconds, close };
}
