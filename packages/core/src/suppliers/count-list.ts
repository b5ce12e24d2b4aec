import { canDo } from '@draftshelf/domain/imports/import-status';
import { findComparableGroups } from '@draftshelf/domain/suppliers/compare-lists';
import { areMissingItemsCounted } from '@draftshelf/domain/suppliers/gone';
import type { ListAnswers } from '@draftshelf/domain/suppliers/list';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord, ImportRecord, Schema, SupplierListRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { type ActionResult, refuse, refuseInStatus } from '../imports/action-result.ts';
import { changeImport, findImport, lockImport } from '../imports/imports.ts';
import { findBlockingReason } from '../work/blocking.ts';
import { lockHeldChunk, markDone } from '../work/claim-chunk.ts';
import { currentRows, readParseRun } from '../work/runs.ts';
import { dropTasks, enqueueTask, hasOpenTask, storeTaskProgress, type TaskProgress } from '../work/tasks.ts';
import { lockCarriedValues } from './carried-values.ts';
import {
  bumpImportVersions,
  countedRowsMax,
  countRows,
  deleteItemVersions,
  joinRenumberedItems,
  markMissingItems,
  restoreItemKeys,
} from './count-rows.ts';
import { changeList, findListOfImport, hasOtherOpenTask, listCountedLists } from './lists.ts';
import { lockSupplier, readSupplierAnswers } from './suppliers.ts';

/** Enqueues the count of a list after its push, unless its rows already count or the operator decided against it. */
export async function enqueueCountList(db: Db, record: ImportRecord): Promise<void> {
  const list = record.test_mode ? undefined : await findListOfImport(db, record.id);
  if (!list || list.state === 'not counted' || list.counted_run === record.rows_run) return;
  await replaceCountTask(db, record);
}

/** Enqueues 'count-list', which counts a list or takes back its count. Replaces a failed task of this kind. */
export async function replaceCountTask(db: Db, record: ImportRecord): Promise<void> {
  await dropTasks(db, record.id, ['count-list'], ['dead']);
  await enqueueTask(db, currentRows(record), 'count-list', record.total_rows);
}

type Part = {
  db: Db;
  chunk: ChunkRecord;
  record: ImportRecord;
  list: SupplierListRecord;
  done: number;
  isMarked: boolean | null;
};

/**
 * The task 'count-list': stores a list's content as versions of its supplier's items, so that the list counts. If the
 * operator decided that the list does not count, takes its count back. Lists of a supplier are counted one at a time.
 */
export async function countList(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  if (await hasOpenTask(db, chunk.import_id, 'keep-items')) {
    return { waitFor: 'The products of the list are still being stored.' };
  }
  const list = await findListOfImport(db, chunk.import_id);
  if (list && (await hasOtherOpenTask(db, 'count-list', list, chunk.id))) {
    return { waitFor: 'Another list of the supplier is still being counted.' };
  }
  const isMarked = await db.transaction().execute((trx) => markLast(trx, chunk));
  const part = await db.transaction().execute(async (trx) => {
    // The lock order is carried values, supplier, task.
    if (!list) return 'done';
    await lockCarriedValues(trx, [list.supplier]);
    if (!(await lockSupplier(trx, list.supplier))) return 'done';
    const { done } = await lockHeldChunk(trx, chunk);
    const record = await findImport(trx, chunk.import_id);
    const found = await findListOfImport(trx, chunk.import_id);
    return record && found ? doPart({ db: trx, chunk, record, list: found, done, isMarked }) : 'done';
  });
  if (part === 'more') return part;
  // Runs after the transaction has released its lock of the supplier: imports must be locked before their supplier.
  if (list) await bumpImportVersions(db, list.supplier);
  await db.transaction().execute(async (trx) => {
    await lockHeldChunk(trx, chunk);
    await markDone(trx, chunk);
  });
  return 'done';
}

/** Returns whether a list should count. If its rows were removed, it should not: all items would seem missing. */
function isToCount(
  { rows_removed_at }: ImportRecord,
  { state, number, findings, answers }: SupplierListRecord,
  last: SupplierListRecord | undefined,
): boolean {
  if (rows_removed_at !== null || answers.counts === false || state === 'counted') return false;
  if (answers.counts === true || answers.isLatest === true) return true;
  return (!last || number > last.number) && findings?.late === undefined;
}

async function findIsComplete(db: Db, record: ImportRecord, list: SupplierListRecord) {
  if ((await readParseRun(db, currentRows(record))).isPartial) return null;
  return areMissingItemsCounted(list, (await readSupplierAnswers(db, list.supplier))?.sendsComplete ?? null);
}

/**
 * Marks the items that a list lacks, after its rows were counted or an answer has changed. Returns whether the list is
 * complete, or null if nothing was marked. Does not lock the supplier: marking is slow, and no other list is counted
 * meanwhile.
 */
async function markLast(db: Db, chunk: ChunkRecord): Promise<boolean | null> {
  const { done } = await lockHeldChunk(db, chunk);
  const record = await findImport(db, chunk.import_id);
  const list = await findListOfImport(db, chunk.import_id);
  if (!record || record.rows_removed_at !== null || !list) return null;
  const isComplete = await findIsComplete(db, record, list);
  if (isComplete === null) return null;
  const [last] = await listCountedLists(db, list.supplier, 1);
  const isNow = isToCount(record, list, last)
    ? done >= record.total_rows
    : list.counted_run === chunk.run && list.is_complete !== null && list.is_complete !== isComplete;
  if (!isNow || (list.state === 'counted' && last?.number !== list.number)) return null;
  await markMissingItems(db, record, list, isComplete);
  return isComplete;
}

async function doPart(part: Part): Promise<'more' | 'done'> {
  const { db, list, record, chunk, isMarked } = part;
  const [last] = await listCountedLists(db, list.supplier, 1);
  if (list.answers.counts === false) return takeBack(part, last, 'not counted');
  if (list.state === 'counted') {
    if (list.counted_run !== chunk.run) return takeBack(part, last, 'open');
    if (isMarked !== null) {
      await joinRenumberedItems(db, list, chunk.run);
      await changeList(db, list, { is_complete: isMarked });
    }
    return 'done';
  }
  return isToCount(record, list, last) ? countNext(part, last) : 'done';
}

/** Counts the next rows. A list of prices and stock keeps the last list's `fields` for the next comparison. */
async function countNext(part: Part, last: SupplierListRecord | undefined): Promise<'more' | 'done'> {
  const { db, chunk, record, list, done, isMarked } = part;
  const { total_rows: total } = record;
  const { mapping, isPartial } = await readParseRun(db, currentRows(record));
  const lastFields = isPartial ? (last?.fields ?? []) : null;
  const fields = Object.keys(mapping.sources);
  if (done < total) {
    const groups = findComparableGroups(lastFields ?? [], fields);
    const partial = {
      hasPrice: fields.includes('price'),
      hasQuantity: fields.includes('quantity'),
      groups: groups.filter((group) => group === 'price' || group === 'stock'),
    };
    // Versions of a list in state 'not counted' may be removed at any time, so the list leaves this state first.
    if (list.state === 'not counted') await changeList(db, list, { state: 'open' });
    if (done === 0) await deleteItemVersions(db, list, chunk.run);
    await countRows(db, record, list, { at: done, last: done + countedRowsMax }, lastFields && partial);
    await storeTaskProgress(db, chunk, Math.min(total, done + countedRowsMax));
    return 'more';
  }
  if ((await findIsComplete(db, record, list)) !== isMarked) return 'more';
  if (isMarked !== null) await joinRenumberedItems(db, list, chunk.run);
  await changeList(db, list, {
    ...{ state: 'counted', counted_run: chunk.run, is_complete: isMarked },
    ...{ fields: [...(lastFields ?? fields)], counted_at: sql`clock_timestamp()` },
  });
  return 'done';
}

/** Takes back the count of the supplier's last counted list, or of a list that was counted in part. */
async function takeBack(
  { db, list }: Part,
  last: SupplierListRecord | undefined,
  state: 'open' | 'not counted',
): Promise<'more' | 'done'> {
  // An earlier list cannot be taken back: later lists have stored only their differences from it.
  if (list.state === 'counted' && last?.number !== list.number) return 'done';
  await changeList(db, list, { state, counted_at: null, counted_run: null, is_complete: null });
  // If a later list counts, the items keep their current keys, because these are the keys of the later list.
  if (!last || last.number <= list.number) await restoreItemKeys(db, list);
  return state === 'open' ? 'more' : 'done';
}

/** Stores the operator's answers about a list. Enqueues 'count-list' if they change whether or how the list counts. */
export async function storeListAnswers(db: Db, id: string, answers: ListAnswers): Promise<ActionResult> {
  const record = await lockImport(db, id);
  if (!record || !canDo('bulkEdit', record.status)) return refuseInStatus(record);
  const list = await findListOfImport(db, id);
  if (!list || !(await lockSupplier(db, list.supplier))) return refuse('This import has no supplier.');
  const reason = await findBlockingReason(db, record, 'bulkEdit');
  if (reason !== undefined) return refuse(reason);
  if (await hasOpenTask(db, id, 'count-list'))
    return refuse('The list is being counted. Try again in a moment.');
  const { counts, isLatest } = answers;
  const [last] = await listCountedLists(db, list.supplier, 1);
  if (counts === false && list.state === 'counted' && last?.number !== list.number) {
    return refuse('The supplier has a newer list. Only the latest list can be ignored.');
  }
  const said = { ...list, answers: { ...list.answers, ...answers } };
  const { sendsComplete = null } = (await readSupplierAnswers(db, list.supplier)) ?? {};
  // True if the answers change whether items that the list lacks are marked as missing.
  const isOther =
    list.is_complete !== null && list.is_complete !== areMissingItemsCounted(said, sendsComplete);
  const countsAgain = isOther && last?.number === list.number;
  await changeList(db, list, { answers: storableJson(said.answers) });
  await changeImport(db, id, {});
  const isPushed = record.status === 'completed' && list.state === 'open';
  if (counts !== undefined || countsAgain || (isLatest === true && isPushed))
    await replaceCountTask(db, record);
  return { ok: true, import: record };
}
