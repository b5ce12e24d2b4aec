import type { Db, OpenDatabase } from './database.ts';

/**
 * Reads by several statements as if at one moment: what is committed meanwhile is seen by none of them. `read` gets the
 * transaction, which writes nothing, and so never has to be tried again.
 */
export function inSnapshot<T>(db: OpenDatabase['db'], read: (snapshot: Db) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}
