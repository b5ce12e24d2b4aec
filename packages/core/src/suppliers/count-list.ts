import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { comparedGroups } from '@draftshelf/domain/suppliers/compare-lists';
import { takesMissing } from '@draftshelf/domain/suppliers/gone';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord, ImportRecord, Schema, SupplierListRecord } from '../connection/schema.ts';
import { findImport } from '../imports/imports.ts';
import { lockHeld, markDone } from '../work/claim-chunk.ts';
import { currentRows, readParseRun } from '../work/runs.ts';
import {
  dropDeadTasks,
  enqueueTask,
  hasOpenTask,
  storeTaskProgress,
  type TaskProgress,
} from '../work/tasks.ts';
import { lockCarriedValues } from './carried-values.ts';
import {
  countedMax,
  countMissing,
  countRows,
  findMissingAgain,
  removeRenumbered,
  renewLists,
  restoreItems,
} from './count-rows.ts';
import { changeList, findListOf, hasOpenTaskOfOther, listCounted } from './lists.ts';
import { lockSupplier, readAnswers } from './suppliers.ts';

/** Lets a list count whose push has completed, if its rows have not counted yet and the operator has not said no. */
export async function enqueueCountList(db: Db, record: ImportRecord): Promise<void> {
  const list = record.test_mode ? undefined : await findListOf(db, record.id);
  if (!list || list.state === 'not counted' || list.counted_run === record.rows_run) return;
  await beginCounting(db, record);
}

/** Begins to count a list, or to take it back, in place of a task that has failed. */
export async function beginCounting(db: Db, record: ImportRecord): Promise<void> {
  await dropDeadTasks(db, record.id, 'count-list');
  await enqueueTask(db, currentRows(record), 'count-list', record.total_rows);
}

type Part = { db: Db; chunk: ChunkRecord; record: ImportRecord; list: SupplierListRecord; done: number };

/**
 * The task 'count-list': gives the supplier's items the content of a list, in parts, or takes them back to what they
 * were before it, if the operator says that it does not count. Lists of a supplier are counted one after the other.
 */
export async function countList(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  if (await hasOpenTask(db, chunk.import_id, 'keep-items')) {
    return { waitFor: 'The products of the list are still being kept.' };
  }
  const list = await findListOf(db, chunk.import_id);
  if (list && (await hasOpenTaskOfOther(db, 'count-list', list, chunk.id))) {
    return { waitFor: 'Another list of the supplier is still being counted.' };
  }
  if (await db.transaction().execute((trx) => findMissingFirst(trx, chunk))) return 'more';
  const part = await db.transaction().execute(async (trx) => {
    // Before the task, like everybody who locks both.
    if (!list) return 'done';
    await lockCarriedValues(trx, [list.supplier]);
    if (!(await lockSupplier(trx, list.supplier))) return 'done';
    const { done } = await lockHeld(trx, chunk);
    const record = await findImport(trx, chunk.import_id);
    const found = await findListOf(trx, chunk.import_id);
    return record && found ? doPart({ db: trx, chunk, record, list: found, done }) : 'done';
  });
  if (part === 'more') return part;
  // Not with the supplier locked: whoever makes an import a list of it has locked the import before.
  if (list) await renewLists(db, list.supplier);
  await db.transaction().execute(async (trx) => {
    await lockHeld(trx, chunk);
    await markDone(trx, chunk);
  });
  return 'done';
}

/** Whether a list counts and has not counted yet. */
const isToCount = (list: SupplierListRecord, last: SupplierListRecord | undefined): boolean =>
  list.answers.counts !== false && list.state !== 'counted' && isNext(list, last);

/**
 * Finds which items a list lacks, once its rows have counted; returns whether it did. It takes long for a large list,
 * so the supplier is not locked: no other list is counted meanwhile.
 */
async function findMissingFirst(db: Db, chunk: ChunkRecord): Promise<boolean> {
  const { done } = await lockHeld(db, chunk);
  const record = await findImport(db, chunk.import_id);
  const list = await findListOf(db, chunk.import_id);
  if (!record || !list || list.missing_to !== null || done < record.total_rows) return false;
  const [last] = await listCounted(db, list.supplier, 1);
  const { isPartial } = await readParseRun(db, currentRows(record));
  if (isPartial || !isToCount(list, last)) return false;
  if (list.compared_with !== (last?.number ?? null)) await findMissingAgain(db, record, list.supplier);
  await changeList(db, list, { missing_to: '' });
  return true;
}

/** Does the next part. The caller has locked the supplier. */
async function doPart(part: Part): Promise<'more' | 'done'> {
  const { db, list, record } = part;
  const [last] = await listCounted(db, list.supplier, 1);
  if (list.answers.counts === false) return takeBack(part, last, 'not counted');
  if (list.state === 'counted')
    return list.counted_run === part.chunk.run ? 'done' : takeBack(part, last, 'open');
  if (!isToCount(list, last)) return 'done';
  const { mapping, isPartial } = await readParseRun(db, currentRows(record));
  return countNext(part, mapping, isPartial ? (last?.fields ?? []) : null);
}

/** Whether a list is newer than the one that counted last, as far as anybody can tell. */
function isNext(
  { number, findings, answers }: SupplierListRecord,
  last: SupplierListRecord | undefined,
): boolean {
  if (answers.counts === true || answers.isLatest === true) return true;
  return (!last || number > last.number) && findings?.late === undefined;
}

/**
 * Counts the next rows, or marks the next missing items after them. `lastFields`: those of the last full list, which
 * the next one is compared with, if this is a list of prices and stock; nothing is missing in such a list.
 */
async function countNext(
  { db, chunk, record, list, done }: Part,
  { sources }: HeaderMapping,
  lastFields: readonly string[] | null,
): Promise<'more' | 'done'> {
  const { total_rows: total } = record;
  const fields = Object.keys(sources);
  if (done < total) {
    const groups = comparedGroups(lastFields ?? [], fields);
    const partial = {
      hasPrice: fields.includes('price'),
      hasQuantity: fields.includes('quantity'),
      groups: groups.filter((group) => group === 'price' || group === 'stock'),
    };
    await countRows(db, record, list, { at: done, last: done + countedMax }, lastFields && partial);
    await storeTaskProgress(db, chunk, Math.min(total, done + countedMax));
    return 'more';
  }
  const answers = await readAnswers(db, list.supplier);
  const isComplete = lastFields === null ? takesMissing(list, answers?.sendsComplete ?? null) : null;
  const missed = isComplete ? await countMissing(db, chunk, list, list.missing_to ?? '') : null;
  if (missed !== null) {
    await changeList(db, list, { missing_to: missed });
    await storeTaskProgress(db, chunk, done);
    return 'more';
  }
  if (lastFields === null) await removeRenumbered(db, list);
  await changeList(db, list, {
    ...{ state: 'counted', missing_to: null, counted_run: chunk.run, fields: [...(lastFields ?? fields)] },
    is_complete: isComplete,
    counted_at: sql`clock_timestamp()`,
  });
  return 'done';
}

/**
 * Takes the items back to what they were before the list that counted last, or before the part of a list that was
 * counted. The list gets another state after the last part.
 */
async function takeBack(
  { db, chunk, list, done }: Part,
  last: SupplierListRecord | undefined,
  state: 'open' | 'not counted',
): Promise<'more' | 'done'> {
  const uncounted = { state, missing_to: null, counted_at: null, counted_run: null, is_complete: null };
  if (last && last.number > list.number) {
    // What it had counted is the later list's by now.
    if (state === 'not counted') await changeList(db, list, uncounted);
    return 'done';
  }
  if (list.state === 'counted' && last?.number !== list.number) return 'done';
  if ((await restoreItems(db, list)) > 0) {
    await storeTaskProgress(db, chunk, done);
    return 'more';
  }
  await changeList(db, list, uncounted);
  return state === 'open' ? 'more' : 'done';
}
