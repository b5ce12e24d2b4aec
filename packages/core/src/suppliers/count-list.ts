import { canDo } from '@draftshelf/domain/imports/import-status';
import { comparedGroups } from '@draftshelf/domain/suppliers/compare-lists';
import { takesMissing } from '@draftshelf/domain/suppliers/gone';
import type { ListAnswers } from '@draftshelf/domain/suppliers/list';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord, ImportRecord, Schema, SupplierListRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { type ActionResult, refused, refusedIn } from '../imports/action-result.ts';
import { changeImport, findImport, lockImport } from '../imports/imports.ts';
import { blockedBy } from '../work/blocking.ts';
import { lockHeld, markDone } from '../work/claim-chunk.ts';
import { currentRows, readParseRun } from '../work/runs.ts';
import { dropTasks, enqueueTask, hasOpenTask, storeTaskProgress, type TaskProgress } from '../work/tasks.ts';
import { lockCarriedValues } from './carried-values.ts';
import {
  countedMax,
  countRows,
  forgetVersions,
  giveKeysBack,
  joinRenumbered,
  markMissing,
  renewLists,
} from './count-rows.ts';
import { changeList, findListOf, hasOpenTaskOfOther, listCounted } from './lists.ts';
import { lockSupplier, readAnswers } from './suppliers.ts';

/** Lets a list count whose push has completed, unless its rows have counted or the operator has refused it. */
export async function enqueueCountList(db: Db, record: ImportRecord): Promise<void> {
  const list = record.test_mode ? undefined : await findListOf(db, record.id);
  if (!list || list.state === 'not counted' || list.counted_run === record.rows_run) return;
  await beginCounting(db, record);
}

/** Begins to count a list or to take it back, replacing a failed task. */
export async function beginCounting(db: Db, record: ImportRecord): Promise<void> {
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
 * The task 'count-list': stores a list's content for the supplier's items in parts and lets it count, or takes it back
 * if the operator says that it does not count. A supplier's lists are counted one at a time.
 */
export async function countList(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  if (await hasOpenTask(db, chunk.import_id, 'keep-items')) {
    return { waitFor: 'The products of the list are still being kept.' };
  }
  const list = await findListOf(db, chunk.import_id);
  if (list && (await hasOpenTaskOfOther(db, 'count-list', list, chunk.id))) {
    return { waitFor: 'Another list of the supplier is still being counted.' };
  }
  const isMarked = await db.transaction().execute((trx) => markLast(trx, chunk));
  const part = await db.transaction().execute(async (trx) => {
    // Locked before the task, in the order that all use.
    if (!list) return 'done';
    await lockCarriedValues(trx, [list.supplier]);
    if (!(await lockSupplier(trx, list.supplier))) return 'done';
    const { done } = await lockHeld(trx, chunk);
    const record = await findImport(trx, chunk.import_id);
    const found = await findListOf(trx, chunk.import_id);
    return record && found ? doPart({ db: trx, chunk, record, list: found, done, isMarked }) : 'done';
  });
  if (part === 'more') return part;
  // Not while the supplier is locked: imports are locked before their supplier.
  if (list) await renewLists(db, list.supplier);
  await db.transaction().execute(async (trx) => {
    await lockHeld(trx, chunk);
    await markDone(trx, chunk);
  });
  return 'done';
}

/** Whether a list is to count: without its rows, it would lack every item. */
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
  return takesMissing(list, (await readAnswers(db, list.supplier))?.sendsComplete ?? null);
}

/**
 * Marks items that the list lacks as missing, once all its rows have counted, or after another answer. Not while the
 * supplier is locked, because it takes long for a large list; no other list is counted meanwhile.
 */
async function markLast(db: Db, chunk: ChunkRecord): Promise<boolean | null> {
  const { done } = await lockHeld(db, chunk);
  const record = await findImport(db, chunk.import_id);
  const list = await findListOf(db, chunk.import_id);
  if (!record || record.rows_removed_at !== null || !list) return null;
  const isComplete = await findIsComplete(db, record, list);
  if (isComplete === null) return null;
  const [last] = await listCounted(db, list.supplier, 1);
  const isNow = isToCount(record, list, last)
    ? done >= record.total_rows
    : list.counted_run === chunk.run && list.is_complete !== null && list.is_complete !== isComplete;
  if (!isNow || (list.state === 'counted' && last?.number !== list.number)) return null;
  await markMissing(db, record, list, isComplete);
  return isComplete;
}

async function doPart(part: Part): Promise<'more' | 'done'> {
  const { db, list, record, chunk, isMarked } = part;
  const [last] = await listCounted(db, list.supplier, 1);
  if (list.answers.counts === false) return takeBack(part, last, 'not counted');
  if (list.state === 'counted') {
    if (list.counted_run !== chunk.run) return takeBack(part, last, 'open');
    if (isMarked !== null) {
      await joinRenumbered(db, list, chunk.run);
      await changeList(db, list, { is_complete: isMarked });
    }
    return 'done';
  }
  return isToCount(record, list, last) ? countNext(part, last) : 'done';
}

/** A list of prices and stock keeps the fields of the last full list, with which the next one is compared. */
async function countNext(part: Part, last: SupplierListRecord | undefined): Promise<'more' | 'done'> {
  const { db, chunk, record, list, done, isMarked } = part;
  const { total_rows: total } = record;
  const { mapping, isPartial } = await readParseRun(db, currentRows(record));
  const lastFields = isPartial ? (last?.fields ?? []) : null;
  const fields = Object.keys(mapping.sources);
  if (done < total) {
    const groups = comparedGroups(lastFields ?? [], fields);
    const partial = {
      hasPrice: fields.includes('price'),
      hasQuantity: fields.includes('quantity'),
      groups: groups.filter((group) => group === 'price' || group === 'stock'),
    };
    // The content of lists that do not count may be removed.
    if (list.state === 'not counted') await changeList(db, list, { state: 'open' });
    if (done === 0) await forgetVersions(db, list, chunk.run);
    await countRows(db, record, list, { at: done, last: done + countedMax }, lastFields && partial);
    await storeTaskProgress(db, chunk, Math.min(total, done + countedMax));
    return 'more';
  }
  if ((await findIsComplete(db, record, list)) !== isMarked) return 'more';
  if (isMarked !== null) await joinRenumbered(db, list, chunk.run);
  await changeList(db, list, {
    ...{ state: 'counted', counted_run: chunk.run, is_complete: isMarked },
    ...{ fields: [...(lastFields ?? fields)], counted_at: sql`clock_timestamp()` },
  });
  return 'done';
}

/** Takes back the list that counted last, or one that was counted in part. */
async function takeBack(
  { db, list }: Part,
  last: SupplierListRecord | undefined,
  state: 'open' | 'not counted',
): Promise<'more' | 'done'> {
  // Later lists have stored only their differences from it.
  if (list.state === 'counted' && last?.number !== list.number) return 'done';
  await changeList(db, list, { state, counted_at: null, counted_run: null, is_complete: null });
  // Otherwise the keys that it has renumbered belong to the later list.
  if (!last || last.number <= list.number) await giveKeysBack(db, list);
  return state === 'open' ? 'more' : 'done';
}

/** Stores answers about a list, and enqueues the task that counts it or takes it back if they change that. */
export async function answerList(db: Db, id: string, answers: ListAnswers): Promise<ActionResult> {
  const record = await lockImport(db, id);
  if (!record || !canDo('bulkEdit', record.status)) return refusedIn(record);
  const list = await findListOf(db, id);
  if (!list || !(await lockSupplier(db, list.supplier))) return refused('This import is no supplier’s list.');
  const reason = await blockedBy(db, record, 'bulkEdit');
  if (reason !== undefined) return refused(reason);
  if (await hasOpenTask(db, id, 'count-list'))
    return refused('The list is being counted. Try again in a moment.');
  const { counts, isLatest } = answers;
  const [last] = await listCounted(db, list.supplier, 1);
  if (counts === false && list.state === 'counted' && last?.number !== list.number) {
    return refused('A newer list counts. Only the latest list can be taken back.');
  }
  const said = { ...list, answers: { ...list.answers, ...answers } };
  const { sendsComplete = null } = (await readAnswers(db, list.supplier)) ?? {};
  // Items that the list lacks become missing, or no longer are.
  const isOther = list.is_complete !== null && list.is_complete !== takesMissing(said, sendsComplete);
  const countsAgain = isOther && last?.number === list.number;
  await changeList(db, list, { answers: storableJson(said.answers) });
  await changeImport(db, id, {});
  const isPushed = record.status === 'completed' && list.state === 'open';
  if (counts !== undefined || countsAgain || (isLatest === true && isPushed)) await beginCounting(db, record);
  return { ok: true, import: record };
}
