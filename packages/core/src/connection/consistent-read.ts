import type { Db, OpenDatabase } from './database.ts';

/**
 * Runs several reads of one moment: none of them sees what is committed in the meantime. `read` gets the transaction,
 * which writes nothing and so never needs a retry.
 */
export function readConsistently<T>(db: OpenDatabase['db'], read: (trx: Db) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}
