import type { Db } from '@draftshelf/database/connection/database';
import type {
  ChunkRecord,
  ImportRecord,
  Schema,
  SupplierListRecord,
} from '@draftshelf/database/connection/schema';
import { findImport } from '@draftshelf/database/imports/imports';
import { setListFields } from '@draftshelf/database/suppliers/begin-list';
import {
  countedMax,
  countMissing,
  countPartialRows,
  countRows,
  findMissingAgain,
  renewLists,
  restoreItems,
  setListState,
} from '@draftshelf/database/suppliers/count-list';
import { findListOf, isCountingEarlier, listCounted } from '@draftshelf/database/suppliers/lists';
import { lockSupplier } from '@draftshelf/database/suppliers/suppliers';
import { lockHeld, markDone } from '@draftshelf/database/work/claim-chunk';
import { currentRows, readParseRun } from '@draftshelf/database/work/runs';
import {
  enqueueTask,
  hasOpenTask,
  storeTaskProgress,
  type TaskProgress,
} from '@draftshelf/database/work/tasks';
import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { comparedGroups } from '@draftshelf/domain/suppliers/compare-lists';
import { openFindings } from '@draftshelf/domain/suppliers/list';
import type { Kysely } from 'kysely';

/** Lets a list count whose push has completed, if its rows have not counted yet and the operator has not said no. */
export async function enqueueCountList(db: Db, record: ImportRecord): Promise<void> {
  const list = record.test_mode ? undefined : await findListOf(db, record.id);
  if (!list || list.state === 'not counted' || list.counted_run === record.rows_run) return;
  await enqueueTask(db, currentRows(record), 'count-list', record.total_rows);
}

type Part = { db: Db; chunk: ChunkRecord; record: ImportRecord; list: SupplierListRecord; done: number };

/**
 * The task 'count-list': gives the supplier's items the content of a list, in parts, or takes them back to what they
 * were before it, if the operator says that it does not count.
 */
export async function countList(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  if (await hasOpenTask(db, chunk.import_id, 'keep-items')) {
    return { waitFor: 'The products of the list are still being kept.' };
  }
  if (await isCountingEarlier(db, chunk)) {
    return { waitFor: 'Another list of the supplier is still being counted.' };
  }
  const supplier = await db.transaction().execute(async (trx) => {
    const { done } = await lockHeld(trx, chunk);
    const record = await findImport(trx, chunk.import_id);
    const found = await findListOf(trx, chunk.import_id);
    if (!record || !found || !(await lockSupplier(trx, found.supplier))) return null;
    // Another list may have counted before the supplier was locked.
    const list = (await findListOf(trx, chunk.import_id)) ?? found;
    return (await doPart({ db: trx, chunk, record, list, done })) ? undefined : list.supplier;
  });
  if (supplier === undefined) return 'more';
  // Not with the supplier locked: whoever makes an import a list of it has locked the import before.
  if (supplier !== null) await renewLists(db, supplier);
  await db.transaction().execute(async (trx) => {
    await lockHeld(trx, chunk);
    await markDone(trx, chunk);
  });
  return 'done';
}

/** Does the next part. Returns whether there may be more. */
async function doPart(part: Part): Promise<boolean> {
  const { db, list } = part;
  const [last] = await listCounted(db, list.supplier, 1);
  if (list.answers.counts === false) return takeBack(part, last, 'not counted');
  if (list.state === 'counted') {
    return list.counted_run !== part.chunk.run && takeBack(part, last, 'open');
  }
  if (!isNext(list, last)) return false;
  const { mapping, isPartial } = await readParseRun(db, currentRows(part.record));
  if (isPartial) return countNextPartial(part, mapping, last?.fields ?? []);
  if (part.done === 0 && list.compared_with !== (last?.number ?? null)) {
    await findMissingAgain(db, part.record, list.supplier);
  }
  return countNext(part, mapping);
}

/** Whether a list is newer than the one that counted last, as far as anybody can tell. */
function isNext(
  { number, findings, answers }: SupplierListRecord,
  last: SupplierListRecord | undefined,
): boolean {
  if (answers.counts === true || answers.isLatest === true) return true;
  return (!last || number > last.number) && findings?.late === undefined;
}

/** Counts the next rows, or marks the next missing items after them. */
async function countNext(
  { db, chunk, record, list, done }: Part,
  { sources }: HeaderMapping,
): Promise<boolean> {
  const { total_rows: total } = record;
  if (done < total) {
    await countRows(db, record, list, { at: done, last: done + countedMax });
    await storeTaskProgress(db, chunk, Math.min(total, done + countedMax));
    return true;
  }
  // Of a file that seems cut off nobody has said that the rest is missing.
  const { cutOff } = openFindings(list.findings ?? {}, list.answers);
  const missing = cutOff ? 0 : await countMissing(db, chunk, list, done - total);
  if (missing === 0) {
    await setListFields(db, record.id, Object.keys(sources) as CanonicalField[]);
    await setListState(db, list, { state: 'counted', run: chunk.run });
  } else await storeTaskProgress(db, chunk, done + missing);
  return missing > 0;
}

/**
 * Counts the next rows of a list of prices and stock. Nothing is missing in it, and the next list is compared with the
 * fields of the last full one.
 */
async function countNextPartial(
  { db, chunk, record, list, done }: Part,
  { sources }: HeaderMapping,
  lastFields: readonly string[],
): Promise<boolean> {
  const { total_rows: total } = record;
  if (done < total) {
    const same = comparedGroups(lastFields, Object.keys(sources));
    const groups = same.filter((group) => group === 'price' || group === 'stock');
    const says = { hasPrice: Boolean(sources.price), hasQuantity: Boolean(sources.quantity), groups };
    await countPartialRows(db, record, list, { at: done, last: done + countedMax }, says);
    await storeTaskProgress(db, chunk, Math.min(total, done + countedMax));
    return true;
  }
  await setListFields(db, record.id, lastFields as CanonicalField[]);
  await setListState(db, list, { state: 'counted', run: chunk.run });
  return false;
}

/**
 * Takes the items back to what they were before the list that counted last, or before the part of a list that was
 * counted. The list gets another state after the last part.
 */
async function takeBack(
  { db, chunk, list, done }: Part,
  last: SupplierListRecord | undefined,
  state: 'open' | 'not counted',
): Promise<boolean> {
  if (last && last.number > list.number) {
    // What it had counted is the later list's by now.
    if (state === 'not counted') await setListState(db, list, { state });
    return false;
  }
  if (list.state === 'counted' && last?.number !== list.number) return false;
  if ((await restoreItems(db, list)) > 0) {
    await storeTaskProgress(db, chunk, done);
    return true;
  }
  await setListState(db, list, { state });
  return state === 'open';
}
