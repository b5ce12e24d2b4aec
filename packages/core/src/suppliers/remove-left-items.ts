import type { Kysely } from 'kysely';
import type { ChunkRecord, Schema } from '../connection/schema.ts';
import { findLeft, forgetLeft } from '../reading/finalize-progress.ts';
import { lockHeld } from '../work/claim-chunk.ts';
import { removeItemsOfList } from './lists.ts';
import { deleteUnused, lockSupplier } from './suppliers.ts';

/**
 * Removes the next items of the list that an import has left, and after the last the supplier if nothing else is left
 * of it. Only once the import's new rows are current: a re-read may have no result. Returns whether anything was
 * removed.
 */
export async function removeLeftItems(db: Kysely<Schema>, chunk: ChunkRecord): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const left = await findLeft(trx, chunk.import_id);
    if (!left) return false;
    await lockSupplier(trx, left.supplier);
    await lockHeld(trx, chunk);
    if ((await removeItemsOfList(trx, left)) > 0) return true;
    await deleteUnused(trx, left.supplier, false);
    await forgetLeft(trx, chunk.import_id, left);
    return true;
  });
}
