import { photoAddress } from '@draftshelf/domain/base/photo-address';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { taskKinds } from '@draftshelf/domain/work/task-catalog';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { hasRows, queryValues } from '../connection/query-rows.ts';
import type { ChunkRecord, ImportRecord, Schema, SupplierListRecord } from '../connection/schema.ts';
import { abandonAsking } from '../enrich/ai/end-asking-task.ts';
import { type ActionResult, refuse } from '../imports/action-result.ts';
import { changeImport, findImport, hasCopies, lockImport, unlinkSameFiles } from '../imports/imports.ts';
import { recordUpload } from '../imports/uploads.ts';
import { nameScannedBytes } from '../reading/carry-over.ts';
import { insertDeletedImport } from '../reading/kept-places.ts';
import { readCountedIn } from '../reading/offset-source.ts';
import { clearCorrectionsKeys } from '../review/corrections/corrections.ts';
import { deleteBatch, deleteNextBatch, removeRetiredRows } from '../review/remove-rows.ts';
import { lockRows } from '../review/rows-lock.ts';
import { releasePhotos } from '../scanner/photos.ts';
import { keepEditsBeforeRemoval } from '../suppliers/keep-values.ts';
import { detachList, findListOfImport, removeFormerItems, removeItemsOfList } from '../suppliers/lists.ts';
import { deleteUnusedSupplier, lockSupplier } from '../suppliers/suppliers.ts';
import { hasCarriedValues } from '../suppliers/values-to-carry.ts';
import { findBlockingReason } from './blocking.ts';
import { holderJoin, lockHeldChunk } from './claim-chunk.ts';
import { currentRows, type RunOfRows } from './runs.ts';
import { dropTasks, enqueueTask, openOrDeadStates, storeTaskProgress, type TaskProgress } from './tasks.ts';

/**
 * Begins the deletion of an import. A task removes its parts, and the import last. Products that its pushes created
 * stay in the store and in our records. Refused while the import is being processed or pushed.
 */
export async function deleteImport(db: Db, id: string): Promise<ActionResult> {
  await lockRows(db, id);
  const record = await lockImport(db, id);
  if (!record || !canDo('delete', record.status)) return working;
  // A deletion that has begun can be repeated: its own task, which may be dead, must not block it.
  const reason =
    record.deletion_began_at === null ? await findBlockingReason(db, record, 'delete') : undefined;
  if (reason !== undefined) return refuse(reason);
  await abandonAsking(db, id, 'The import is being deleted, so asking AI was stopped.');
  await dropTasks(db, id, taskKinds, openOrDeadStates);
  await changeImport(db, id, { deletion_began_at: sql`now()`, auto_push_at: null });
  await enqueueTask(db, currentRows(record), 'delete-import', record.total_rows);
  return { ok: true, import: { ...record, deletion_began_at: new Date() } };
}

const working = refuse(
  'This import is being processed or pushed. Wait until it has ended or cancel it. Then delete it.',
);

/**
 * Does the next part of the task 'delete-import': keeps the operator's work for the supplier's next list, then removes
 * the rows, the other large tables' records, and last the import. Waits while chunks of the import are being
 * processed. The import is not locked while rows are removed.
 */
export async function continueDeletion(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  if ((await keepEditsBeforeRemoval(db, chunk)) || (await removeFormerItems(db, chunk))) return 'more';
  const removed = await db.transaction().execute(async (trx) => {
    const { done } = await lockHeldChunk(trx, chunk);
    if (await isWorkedOn(trx, chunk)) return undefined;
    const part = await removeRetiredRows(trx, chunk);
    await storeTaskProgress(trx, chunk, done + part);
    return part || (await removeImportRecords(trx, chunk)) || removeItems(trx, chunk.import_id);
  });
  if (removed === undefined) return { waitFor: 'Work on this import is still ending.' };
  if (removed > 0) return 'more';
  await db.transaction().execute(async (trx) => {
    const record = await lockImport(trx, chunk.import_id);
    const list = await findListOfImport(trx, chunk.import_id);
    if (list) await lockSupplier(trx, list.supplier);
    await lockHeldChunk(trx, chunk);
    if (record) await endImport(trx, record, list);
  });
  // Called last, because an unlinked import needs the offsets that endImport stores for the deleted import.
  await unlinkSameFiles(db, chunk.import_id);
  return 'done';
}

/**
 * Returns whether a process holds another chunk of the import, even one that a cancel has dropped. Such a process may
 * store rows that nothing would remove, and it needs the chunk to record a product that it is sending.
 */
const isWorkedOn = (db: Db, { id, import_id }: ChunkRecord) =>
  hasRows(db)`
    select from chunks ${holderJoin}
    where chunks.import_id = ${import_id} and chunks.id <> ${id} limit 1`;

/**
 * Removes the items of a list that neither counts nor was pushed. Keeps them while the supplier has carried values,
 * because these items help to recognize the supplier's next list. Returns the number of removed items.
 */
async function removeItems(db: Db, importId: string): Promise<number> {
  const record = await findImport(db, importId);
  const list = await findListOfImport(db, importId);
  const isKept = !list || list.state === 'counted' || record?.push_run !== 0;
  return isKept || (await hasCarriedValues(db, list.supplier)) ? 0 : removeItemsOfList(db, list);
}

/**
 * Deletes an import. If it was pushed or if another import copied its edits, first stores the ids and the places of
 * its rows. Deletes the supplier if this was its last list, unless work of the operator remains.
 */
async function endImport(db: Db, record: ImportRecord, list: SupplierListRecord | undefined): Promise<void> {
  const read = {
    scannedIn: await nameScannedBytes(db, currentRows(record)),
    countedIn: await readCountedIn(db, record),
  };
  if (record.push_run > 0 || (await hasCopies(db, record.id))) await insertDeletedImport(db, record, read);
  else await db.deleteFrom('kept_places').where('import_id', '=', record.id).execute();
  if (list) await detachList(db, list);
  const corrections = await clearCorrectionsKeys(db, { importId: record.id });
  for (const key of [record.object_key, ...corrections]) await recordUpload(db, key);
  await db.deleteFrom('imports').where('id', '=', record.id).execute();
  if (list) await deleteUnusedSupplier(db, list.supplier, true);
}

/** Tables with a record per row, product or change of an import. Only rows of earlier runs are left in `rows`. */
const largeTables = [
  'found_values',
  'picture_matches',
  'outcomes',
  'proposals',
  'edits',
  'command_targets',
  'correction_cells',
  'correction_rows',
  'ai_asks',
  'stamp_reads',
  'key_claims',
  'row_matches',
  'row_joins',
  'product_lacks',
  'rows',
  'row_items',
] as const;

/** Rows per batch. The batch is small, because each row needs a look-up of other uses of its photos. */
const addedRowsMax = 1_000;

/** Removes up to 20,000 records from an import's large tables. Returns their number. */
export async function removeImportRecords(
  db: Db,
  { import_id }: Pick<RunOfRows, 'import_id'>,
): Promise<number> {
  const removed = await deleteNextBatch(db, largeTables, sql`import_id = ${import_id}`);
  if (removed > 0) return removed;
  // With an array, Postgres finds the lines by the primary key.
  const ofPreviews = sql`preview = any(array(select id from previews where import_id = ${import_id}))`;
  const lines = await deleteBatch(db, 'preview_lines', ofPreviews);
  if (lines > 0) return lines;
  const added =
    (await removeWithPhotos(db, import_id, 'added_rows', sql`photos`)) ||
    (await removeWithPhotos(db, import_id, 'file_pictures', ofPicture));
  if (added > 0) return added;
  return deleteBatch(db, 'chunks', sql`import_id = ${import_id} and kind = 'work'`);
}

/** SQL value: an array with the address of a picture's photo. Empty if the picture has no photo. */
const ofPicture = sql`array_remove(array[${photoAddress('')}::text || photo_id], null)`;

/** Removes an import's next added rows or pictures, and photos used by nothing else. Returns the number of rows. */
async function removeWithPhotos(
  db: Db,
  importId: string,
  table: 'added_rows' | 'file_pictures',
  photos: RawBuilder<unknown>,
): Promise<number> {
  const removed = await queryValues<string[]>(db)`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where import_id = ${importId} limit ${addedRowsMax}))
    returning ${photos} as photos`;
  await releasePhotos(db, removed.flat());
  return removed.length;
}
