import { type OpenDatabase, openDatabase } from '@draftshelf/database/connection/database';

export type ApiDatabases = {
  /** For reads, which wait for no lock. */
  database: OpenDatabase;
  /** For changes of imports, which may wait for each other and for workers: they leave the reads their connections. */
  changes: OpenDatabase;
  /** For uploads, whose sender has waited long already: they share connections with nobody who waits for a lock. */
  intake: OpenDatabase;
};

const readsMax = 5;
const changesMax = 4;
const intakeMax = 2;
/** A change waits this long for a free connection, and then this long for a lock; an action is answered within 3 s. */
const connectMsMax = 1_000;
const lockMsMax = 2_000;
/** The longest statements: a search that no index helps, a change of many rows, the edits that an equal file has. */
const readMsMax = 5_000;
const changeMsMax = 10_000;
const intakeMsMax = 60_000;

/** Opens the api's pools over one database. Nothing connects until the first query. */
export function openApiDatabases(connectionString: string): ApiDatabases {
  return {
    database: openDatabase({
      connectionString,
      applicationName: 'draftshelf-api',
      poolMax: readsMax,
      lockMsMax,
      statementMsMax: readMsMax,
    }),
    changes: openDatabase({
      connectionString,
      applicationName: 'draftshelf-api-changes',
      poolMax: changesMax,
      connectMsMax,
      lockMsMax,
      statementMsMax: changeMsMax,
    }),
    intake: openDatabase({
      connectionString,
      applicationName: 'draftshelf-api-intake',
      poolMax: intakeMax,
      lockMsMax,
      statementMsMax: intakeMsMax,
    }),
  };
}
