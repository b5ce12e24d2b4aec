import { SupplierList } from '@draftshelf/contract/imports/list';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord, SupplierListRecord } from '@draftshelf/core/connection/schema';
import { type ImportListFacts, needsRecipeAnswer } from '@draftshelf/core/push/list-facts';
import { countGoneItems, findGoneThreshold } from '@draftshelf/core/suppliers/gone';
import * as lists from '@draftshelf/core/suppliers/lists';
import { findSupplier, readSupplierAnswers } from '@draftshelf/core/suppliers/suppliers';
import { currentRows, findEndedRun, readParseRun } from '@draftshelf/core/work/runs';
import { findFieldDifferences } from '@draftshelf/domain/suppliers/compare-lists';
import { createWireMapper } from '../http/wire-fields.ts';
import { readCarriedChanges } from './read-carried.ts';

/** Returns an import as a version of its supplier's list. Null until the import has been read, and for a test. */
export async function readSupplierList(
  db: Db,
  record: ImportRecord,
  own: ImportListFacts | null,
): Promise<SupplierList | null> {
  if (record.test_mode) return null;
  const run = await findEndedRun(db, currentRows(record));
  if (!run) return null;
  const unread = { ...noComparison, asked: await readAsked(db, record), isPartial: run.isPartial };
  if (!own) return { ...unread, notCompared: await whyNobodys(db, record) };
  const { list, supplier, isNamed, recipes } = own;
  const [last] = await lists.listCountedLists(db, list.supplier, 1);
  const isLast = last?.number === list.number;
  return {
    ...unread,
    ...{ supplier, isNamed, recipes, asksRecipes: needsRecipeAnswer(record, own) },
    state: list.state,
    // A list that has only prices and stock is not compared.
    ...(run.isPartial ? {} : await readComparison(db, record, { list, last }, run.endedAt)),
    ...(await readCompleteness(db, list, isLast)),
    ...findingsOf(own, isLast),
    carried: await readCarriedChanges(db, record, list),
  };
}

const noComparison = {
  ...{ supplier: null, isNamed: false, asked: null, state: null, since: null, counts: null },
  ...{ differences: null, notCompared: null, newer: null, late: null, cutOff: null, carried: null },
  ...{ recipes: [], asksRecipes: false, answers: null, isWhole: null, gone: null },
} satisfies Omit<SupplierList, 'isPartial'>;

async function readAsked(db: Db, record: ImportRecord): Promise<SupplierList['asked']> {
  const { asked_supplier: id, asked_known: known, asked_sampled: sampled } = record;
  const supplier = id === null ? undefined : await findSupplier(db, { id });
  return supplier ? { supplier, known: known ?? 0, sampled: sampled ?? 0 } : null;
}

async function whyNobodys(db: Db, record: ImportRecord): Promise<string | null> {
  if (record.supplier_by !== null || record.asked_supplier !== null) return null;
  return (await lists.hasTooFewKeys(db, currentRows(record)))
    ? 'Not compared: no SKU, UPC or item number identifies its products.'
    : null;
}

const sinceFields = createWireMapper(SupplierList.shape.since.unwrap());

async function readComparison(
  db: Db,
  record: ImportRecord,
  { list, last }: { list: SupplierListRecord; last: SupplierListRecord | undefined },
  readAt: Date,
) {
  const { compared_with: number, counts } = list;
  const since = number === null ? undefined : await lists.findListByNumber(db, list.supplier, number);
  const newer = await findNewer(db, list, { last, since, readAt });
  if (since) {
    // Every poll runs this code, so it reads fields only if the stored ones are those of an earlier run.
    const isOther = list.state === 'counted' && list.counted_run !== record.rows_run;
    const rows = currentRows(record);
    const fields = isOther ? Object.keys((await readParseRun(db, rows)).mapping.sources) : list.fields;
    const differences = findFieldDifferences(since.fields, fields);
    return { since: sinceFields(since), counts, differences, newer, notCompared: null };
  }
  if (number !== null) return { newer, notCompared: earlierIsGone };
  const isFirst = !last && (await lists.hasRowItems(db, currentRows(record)));
  return { newer, notCompared: isFirst ? 'The next list will be compared with this one.' : null };
}

const earlierIsGone =
  'Not compared: the earlier list was deleted. Re-read the file to compare it with another list.';

type Others = Record<'last' | 'since', SupplierListRecord | undefined> & { readAt: Date };

/** Finds the list that outdates a comparison: one that was counted or taken back since, or one that waits. */
async function findNewer(
  db: Db,
  list: SupplierListRecord,
  { last, since, readAt }: Others,
): Promise<SupplierList['newer']> {
  if (list.state !== 'open') return null;
  const isTakenBack = since !== undefined && since.state !== 'counted';
  const isNewer = !isTakenBack || (last?.counted_at ?? readAt) > readAt;
  if (last?.import_id && last.number !== list.compared_with && isNewer) {
    return { importId: last.import_id, filename: last.filename, state: 'counted' };
  }
  if (isTakenBack && since.import_id) {
    return { importId: since.import_id, filename: since.filename, state: 'taken back' };
  }
  const waiting = await lists.findWaitingList(db, list);
  if (!waiting?.import_id) return null;
  return { importId: waiting.import_id, filename: waiting.filename, state: 'waits' };
}

async function readCompleteness(db: Db, { supplier, counts, answers }: SupplierListRecord, isLast: boolean) {
  const until = isLast ? await findGoneThreshold(db, supplier) : null;
  return {
    answers: counts === null ? null : ((await readSupplierAnswers(db, supplier)) ?? null),
    isWhole: answers.isWhole ?? null,
    gone: until === null ? null : await countGoneItems(db, supplier, until),
  };
}

/** `isLast`: whether the list is the one that counted last. */
function findingsOf({ list, findings: { late, cutOff } }: ImportListFacts, isLast: boolean) {
  const { state, answers, is_complete: isComplete } = list;
  const isAsked = state === 'open' || (isComplete === false && isLast);
  return {
    late: late && state === 'open' ? { ...late, isLatest: answers.isLatest ?? null } : null,
    cutOff: cutOff && isAsked ? { ...cutOff, isWhole: answers.isWhole ?? null } : null,
  };
}
