// Stores the data of a stopped npm start: node tests/support/store-installation-main.ts VERSION DATA_DIR

import { openDatabase } from '@draftshelf/core/connection/database';
import { postgresDir } from '@draftshelf/infra/data-layout';
import { startPostgres } from '@draftshelf/infra/embedded-postgres';
import { storeInstallation } from './stored-installation.ts';

const [version, dataDir] = process.argv.slice(2);
if (!version || !dataDir) throw new Error('Name the version and its data directory.');
const postgres = await startPostgres({ dir: postgresDir(dataDir) });
const database = openDatabase({ connectionString: postgres.url, applicationName: 'draftshelf-test' });
try {
  await storeInstallation(version, { database, dataDir });
} finally {
  await database.close();
  await postgres.stop();
}
