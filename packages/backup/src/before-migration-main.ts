import { openDatabase } from '@draftshelf/core/connection/database';
import { backUpBeforeMigration } from './before-migration.ts';

// npm start runs this program with DATABASE_URL and the directory of the copies.
const [directory] = process.argv.slice(2);
const connectionString = process.env.DATABASE_URL;
if (!connectionString || !directory)
  throw new Error('DATABASE_URL and the directory of the copies are needed.');
const database = openDatabase({ connectionString, applicationName: 'draftshelf-backup', poolMax: 2 });
try {
  const copy = await backUpBeforeMigration(database, directory);
  if (copy) console.log(`The database was copied to ${copy} before its migration.`);
} catch (error) {
  const cause = error instanceof Error ? error.message : String(error);
  console.error(
    `${cause}\nNothing was changed. Check that ${directory} is writable and its disk has space, then start again, or start the previous version.`,
  );
  process.exitCode = 1;
} finally {
  await database.close();
}
