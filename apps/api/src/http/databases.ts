import { type Db, type OpenDatabase, openDatabase } from '@draftshelf/core/connection/database';
import { orConflict } from './refusal.ts';

export type ApiDatabases = {
  /** For reads. They should never wait for a lock; the limit is a safeguard. */
  database: OpenDatabase;
  /** For changes of imports. They may wait for each other and for workers, so reads have their own connections. */
  changes: OpenDatabase;
  /** For uploads, which take long enough already and must not queue behind changes that wait for locks. */
  intake: OpenDatabase;
};

/** Runs a change in a transaction. Throws a Refusal with its reason if nothing was done. */
export const makeChange = async <T extends Parameters<typeof orConflict>[0]>(
  { changes }: Pick<ApiDatabases, 'changes'>,
  change: (trx: Db) => Promise<T>,
) => orConflict(await changes.db.transaction().execute(change));

const readsMax = 10;
const changesMax = 4;
const intakeMax = 2;
/** A change waits this long for a connection, then this long for a lock, so an action replies within 3 s. */
const connectMsMax = 1_000;
const lockMsMax = 2_000;
/** By the slowest statements: a search without an index, a change of many rows, copying an equal file's edits. */
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
