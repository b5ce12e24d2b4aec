import type { Db } from '@draftshelf/core/connection/database';
import type { ActionResult } from '@draftshelf/core/imports/action-result';
import type { StoreConnection } from '../access/store-connection.ts';
import { requireStore } from '../access/store-reads.ts';
import { type ApiDatabases, makeChange } from '../http/databases.ts';
import { findImportOr404, jobReply } from '../imports/read-jobs.ts';

/** Runs `act` in a transaction for an import that needs a store, and replies with `message` and the job. */
export const actWithStore =
  ({ database: { db }, changes, store }: ApiDatabases & { store: StoreConnection }) =>
  async (id: string, message: string, action: (trx: Db, id: string) => Promise<ActionResult>) => {
    const record = await findImportOr404(db, id);
    await requireStore(store);
    const done = await makeChange({ changes }, (trx) => action(trx, record.id));
    return jobReply(db, message, done.import);
  };
