import { openDatabase } from './connection/database.ts';
import { migrate } from './migrate.ts';

const connectionString = process.env.DATABASE_URL;
if (!connectionString) {
  console.error('DATABASE_URL is not set. Set it to the Postgres database to migrate.');
  process.exit(1);
}
const database = openDatabase({ connectionString, applicationName: 'draftshelf-migrate', poolMax: 2 });
try {
  const done = await migrate(database);
  console.log(done.length === 0 ? 'The schema is up to date.' : `Migrated: ${done.join(', ')}`);
} finally {
  await database.close();
}
