import type { Db } from '@draftshelf/core/connection/database';
import type { ActionResult } from '@draftshelf/core/imports/action-result';
import type { StoreConnection } from '../access/store-connection.ts';
import { requireStore } from '../access/store-reads.ts';
import type { ApiDatabases } from '../http/databases.ts';
import { conflict } from '../http/refusal.ts';
import { findImportOr404, readJob } from '../imports/read-jobs.ts';

/** Runs `act` in a transaction for an import that needs a store, and replies with `message` and the job. */
export const actWithStore =
  ({ database: { db }, changes, store }: ApiDatabases & { store: StoreConnection }) =>
  async (id: string, message: string, action: (trx: Db, id: string) => Promise<ActionResult>) => {
    const record = await findImportOr404(db, id);
    await requireStore(store);
    const done = await changes.db.transaction().execute((trx) => action(trx, record.id));
    if (!done.ok) throw conflict(done.reason);
    return { success: true as const, message, job: await readJob(db, done.import) };
  };
