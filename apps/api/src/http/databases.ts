import { type Db, type OpenDatabase, openDatabase } from '@draftshelf/core/connection/database';
import { requireOk } from './refusal.ts';

export type ApiDatabases = {
  /** For reads, which never wait for locks. Their limit for waiting is only a safeguard. */
  database: OpenDatabase;
  /** For changes of imports. They wait for each other and for workers, so reads have connections of their own. */
  changes: OpenDatabase;
  /** For uploads, which take long and must not queue behind changes that wait for locks. */
  intake: OpenDatabase;
};

/** Runs a change in a transaction. If the change is refused, throws a Refusal with its reason. */
export const runChange = async <T extends Parameters<typeof requireOk>[0]>(
  { changes }: Pick<ApiDatabases, 'changes'>,
  change: (trx: Db) => Promise<T>,
) => requireOk(await changes.db.transaction().execute(change));

const readsMax = 10;
const changesMax = 4;
const intakeMax = 2;
/** Maximum time that a change waits for a connection, and for a lock, so that an action replies within 3 s. */
const connectMsMax = 1_000;
const lockMsMax = 2_000;
/** Long enough for the slowest statements: a search without an index, a change of many rows, a copy of edits. */
const readMsMax = 5_000;
const changeMsMax = 10_000;
const intakeMsMax = 60_000;

export function openApiDatabases(connectionString: string): ApiDatabases {
  const open = (
    name: string,
    poolMax: number,
    statementMsMax: number,
    more: { connectMsMax?: number } = {},
  ) => openDatabase({ connectionString, applicationName: name, poolMax, lockMsMax, statementMsMax, ...more });
  return {
    database: open('draftshelf-api', readsMax, readMsMax),
    changes: open('draftshelf-api-changes', changesMax, changeMsMax, { connectMsMax }),
    intake: open('draftshelf-api-intake', intakeMax, intakeMsMax),
  };
}
