import type { Kysely } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord, ImportRecord, Schema, SupplierListRecord } from '../connection/schema.ts';
import { findImport, forgetSame, lockImport, wasCopied } from '../imports/imports.ts';
import { recordUpload } from '../imports/uploads.ts';
import { hasHeldPush } from '../push/sending.ts';
import { scannedIn } from '../reading/carry-over.ts';
import { insertDeleted } from '../reading/kept-places.ts';
import { offsetsIn } from '../reading/offset-source.ts';
import { forgetFiles } from '../review/corrections/corrections.ts';
import { removePlaces } from '../review/remove-rows.ts';
import { removeRetiredRows, vacuumedTables } from '../review/retire-rows.ts';
import { vacuumRemoved } from '../review/vacuum.ts';
import { keepBeforeRemoval } from '../suppliers/keep-values.ts';
import { findListOf, leaveSupplier, removeItemsOfList } from '../suppliers/lists.ts';
import { removeLeftItems } from '../suppliers/remove-left-items.ts';
import { deleteUnused, lockSupplier } from '../suppliers/suppliers.ts';
import { hasValues } from '../suppliers/values-to-carry.ts';
import { lockHeld } from './claim-chunk.ts';
import { removeImport, removePartOfImport } from './remove-import.ts';
import { currentRows } from './runs.ts';
import { storeTaskProgress, type TaskProgress } from './tasks.ts';

/**
 * The task 'delete-import': keeps what the operator did for the supplier's next list, removes the rows of an import,
 * then what grows with them, and at the end the import. Waits for calls to the store that have begun. The import is not
 * locked while its rows are removed.
 */
export async function deleteInParts(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  if ((await keepBeforeRemoval(db, chunk)) || (await removeLeftItems(db, chunk))) return 'more';
  const next = await db.transaction().execute(async (trx) => {
    const { done } = await lockHeld(trx, chunk);
    // A product that is being sent is recorded only while its chunk is there.
    if (await hasHeldPush(trx, chunk.import_id)) return undefined;
    const part = await removeRetiredRows(trx, chunk);
    await storeTaskProgress(trx, chunk, done + part);
    return { removed: part || (await removeRest(trx, chunk)), rows: done + part };
  });
  if (!next) return { waitFor: 'Parts of a push are still ending.' };
  if (next.removed > 0) return 'more';
  await vacuumRemoved(db, next.rows, vacuumedTables);
  await db.transaction().execute(async (trx) => {
    const record = await lockImport(trx, chunk.import_id);
    const list = await findListOf(trx, chunk.import_id);
    if (list) await lockSupplier(trx, list.supplier);
    await lockHeld(trx, chunk);
    if (record) await endImport(trx, record, list);
  });
  await vacuumRemoved(db, next.rows, ['kept_places']);
  // Not before: who copies offsets finds the deleted import as soon as this one is gone.
  await forgetSame(db, chunk.import_id);
  return 'done';
}

/** Removes the next part of what an import has beside its rows. Returns how many lines. */
const removeRest = async (db: Db, chunk: ChunkRecord): Promise<number> =>
  (await removePartOfImport(db, chunk)) || (await removeItems(db, chunk.import_id));

/**
 * What was pushed stays known, also if its list did not count. So do all items while the supplier has values to carry:
 * the next list is recognized by them.
 */
async function removeItems(db: Db, importId: string): Promise<number> {
  const record = await findImport(db, importId);
  const list = await findListOf(db, importId);
  const isKept = !list || list.state === 'counted' || record?.push_run !== 0;
  return isKept || (await hasValues(db, list.supplier)) ? 0 : removeItemsOfList(db, list);
}

/**
 * Our ids of a pushed import are found again when its file arrives again, however it is read then. An import that got
 * the edits of this one finds their rows by its places. Nobody asks for the places of others. The supplier goes with
 * its last list, unless the operator's work is left of it.
 */
async function endImport(db: Db, record: ImportRecord, list: SupplierListRecord | undefined): Promise<void> {
  const read = {
    scannedIn: await scannedIn(db, currentRows(record)),
    countedIn: await offsetsIn(db, record),
  };
  if (record.push_run > 0 || (await wasCopied(db, record.id))) await insertDeleted(db, record, read);
  else await removePlaces(db, record.id);
  if (list) await leaveSupplier(db, list);
  const corrections = await forgetFiles(db, { importId: record.id });
  for (const key of [record.object_key, ...corrections]) await recordUpload(db, key);
  await removeImport(db, record.id);
  if (list) await deleteUnused(db, list.supplier, true);
}
