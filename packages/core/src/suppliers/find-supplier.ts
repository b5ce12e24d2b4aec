import { canDo } from '@draftshelf/domain/imports/import-status';
import { leavingSentence } from '@draftshelf/domain/suppliers/leaving';
import { suggestSupplierName, supplierSignsOf } from '@draftshelf/domain/suppliers/list-signs';
import type { Db } from '../connection/database.ts';
import type { FinalizeProgress, FoundSupplier, ImportRecord } from '../connection/schema.ts';
import { type ActionResult, refuse, refuseInStatus } from '../imports/action-result.ts';
import { changeImport, type ImportChanges, lockImport, readImport } from '../imports/imports.ts';
import { beginReread } from '../reading/begin-reread.ts';
import { fingerprintHeaders } from '../reading/mappings.ts';
import { findBlockingReason } from '../work/blocking.ts';
import { MustWait } from '../work/complete-chunk.ts';
import {
  type ChosenSupplier,
  currentRows,
  type RunOfRows,
  readChosenSupplier,
  readParseRun,
  storeChosenSupplier,
} from '../work/runs.ts';
import {
  addSigns,
  findSupplierOfBytes,
  hasKeysBeingKept,
  proposeByEvidence,
  readSampledRows,
  removeSigns,
  type SampledList,
} from './evidence.ts';
import { enqueueKeepItems } from './items.ts';
import { keepEarlierPushes } from './keep-earlier-pushes.ts';
import { findLeavingSupplier } from './leaving-suppliers.ts';
import {
  beginList,
  changeList,
  detachList,
  earlierListReason,
  findListOfImport,
  hasOtherLists,
  hasOtherOpenTask,
} from './lists.ts';
import type { PreparedBatch, StepState } from './prepared-batch.ts';
import * as suppliers from './suppliers.ts';

const sampledRowsMax = 500;

export const noSupplier: FoundSupplier = {
  id: null,
  name: null,
  by: null,
  asked: null,
  signs: [],
  newest: 0,
};

export async function findSupplierOfRun(batch: PreparedBatch): Promise<StepState> {
  const { db, record, of } = batch;
  if (record.test_mode) return {};
  const list = await readSampledList(db, record, of);
  const chosen = await readChosenSupplier(db, of);
  if (chosen) return { supplier: await supplierByChoice(db, list, chosen) };
  const earlier = await keepEarlierPushes(batch, list);
  if (earlier && earlier.imports.length > 0) return { earlier, at: 0 };
  return { earlier, supplier: await supplierByEvidence(db, record, list) };
}

async function findSupplier(db: Db, record: ImportRecord, of: RunOfRows): Promise<FoundSupplier> {
  const list = await readSampledList(db, record, of);
  const chosen = await readChosenSupplier(db, of);
  return chosen ? supplierByChoice(db, list, chosen) : supplierByEvidence(db, record, list);
}

/** Returns the supplier that the operator chose by id or name. A name matches an existing supplier in any case. */
async function supplierByChoice(db: Db, list: SampledList, chosen: ChosenSupplier): Promise<FoundSupplier> {
  const newest = await suppliers.readNewestSupplierId(db);
  const found = { ...noSupplier, by: 'operator' as const, signs: supplierSignsOf(list), newest };
  if (!('name' in chosen)) return { ...found, id: chosen.supplier };
  const { name } = chosen;
  const known = name === '' ? undefined : await suppliers.findSupplier(db, { name });
  return known ? { ...found, id: known.id } : { ...found, name: name || (suggestSupplierName(list) ?? '') };
}

/** Finds a list's supplier by evidence. Re-reads rarely change the supplier. Throws MustWait while items are kept. */
async function supplierByEvidence(db: Db, record: ImportRecord, list: SampledList): Promise<FoundSupplier> {
  const signs = supplierSignsOf(list);
  const own = record.supplier;
  const found = {
    ...noSupplier,
    by: 'evidence' as const,
    signs,
    newest: await suppliers.readNewestSupplierId(db),
  };
  const isOwn =
    own !== null &&
    ((await hasOtherLists(db, own, record.id)) ||
      (await findListOfImport(db, record.id))?.state === 'counted');
  if (isOwn) return { ...found, id: own };
  if (await hasKeysBeingKept(db, list.rows, record.id)) throw new MustWait(earlierListReason);
  const name = suggestSupplierName(list);
  const { proposal } = await proposeByEvidence(db, {
    rows: list.rows,
    signs,
    name,
    sameBytes: await findSupplierOfBytes(db, record),
    except: own,
  });
  if (proposal.is === 'certain') return { ...found, id: proposal.supplier };
  if (own !== null) return { ...found, id: own };
  if (proposal.is === 'unsure') return { ...found, by: null, asked: proposal.asked };
  return proposal.is === 'new' ? { ...found, name: name ?? '' } : noSupplier;
}

/** Reads the headers, names and sampled rows of a run, by which its supplier is found. */
async function readSampledList(db: Db, { filename, source_path }: ImportRecord, of: RunOfRows) {
  const { headers } = await readParseRun(db, of);
  const rows = await readSampledRows(db, of, sampledRowsMax);
  return { layout: fingerprintHeaders(headers), filename, path: source_path, rows };
}

/**
 * Returns the run's supplier if it got another list after the run's items were found: the items must be found again
 * before the run's rows become current. Otherwise, returns undefined. Locks the supplier or, if it is new, inserts of
 * suppliers. Throws MustWait if a supplier is being merged or deleted, or if items are being kept.
 */
export async function findOvertakenSupplier(
  db: Db,
  record: ImportRecord,
  of: RunOfRows,
  { supplier: found, lists }: Pick<FinalizeProgress, 'supplier' | 'lists'>,
): Promise<FoundSupplier | undefined> {
  const { id, name, newest } = found;
  if (id !== null) {
    // The supplier that the import leaves is locked too, in the order of ids: another import may move the other way.
    if (!(await suppliers.lockSuppliers(db, [record.supplier ?? id, id])).includes(id)) {
      const again = await findSupplier(db, record, of);
      return again.id === id ? undefined : again;
    }
    const leaving = await findLeavingSupplier(db, [id]);
    if (leaving) throw new MustWait(leavingSentence(leaving));
    const own = { supplier: id, import_id: record.id };
    const isOvertaken =
      (await suppliers.readLastListNumber(db, id)) > (lists ?? 0) ||
      (await hasOtherOpenTask(db, 'keep-items', own));
    return isOvertaken ? found : undefined;
  }
  if (name === null) return undefined;
  await suppliers.lockNewSuppliers(db);
  if (newest >= (await suppliers.readNewestSupplierId(db))) return undefined;
  const again = await findSupplier(db, record, of);
  // Nothing is repeated if only other suppliers are new, because small lists could delay a large list forever.
  return again.id === null && again.name === name ? undefined : again;
}

/**
 * Makes a locked import a list of the supplier found for its run. Returns the import's changed columns. Inserts a new
 * supplier: the caller has called `lockNewSuppliers`. If the supplier was deleted meanwhile, the import gets none.
 */
export async function assignSupplier(
  db: Db,
  record: ImportRecord,
  of: RunOfRows,
  { id, name, by, asked, signs }: FoundSupplier,
): Promise<ImportChanges> {
  const isByOperator = by === 'operator';
  const found = name === null ? id : await suppliers.insertSupplier(db, name);
  const supplier = found !== null && (await suppliers.lockSupplier(db, found)) ? found : null;
  if (supplier !== null && isByOperator) await suppliers.confirmName(db, supplier);
  const list = await findListOfImport(db, record.id);
  if (list && list.supplier !== supplier) {
    await detachList(db, list);
    await removeSigns(db, list.supplier, signs);
  }
  if (supplier !== null) {
    const fields = Object.keys((await readParseRun(db, of)).mapping.sources);
    if (list?.supplier === supplier) {
      // A counted list keeps the fields of the reading that counted, because the items have that reading's content.
      if (list.state !== 'counted') await changeList(db, list, { fields });
    } else {
      await beginList(db, supplier, record, fields);
      await addSigns(db, supplier, signs);
    }
  }
  if (isByOperator) await storeChosenSupplier(db, of, { supplier });
  return {
    supplier,
    supplier_by: supplier === null && by === 'evidence' ? null : by,
    asked_supplier: asked?.supplier ?? null,
    asked_known: asked?.known ?? null,
    asked_sampled: asked?.sampled ?? null,
  };
}

/**
 * Sets an import's supplier, by id or by a name in any case. Begins a re-read that compares the rows with the new
 * supplier's items. Without items, changes the supplier at once. `currency` is the store's, or null if unknown.
 */
export async function setSupplier(
  db: Db,
  id: string,
  given: ChosenSupplier,
  currency: string | null,
): Promise<ActionResult> {
  const record = await lockImport(db, id);
  if (!record || !canDo('reread', record.status)) return refuseInStatus(record);
  if (record.test_mode) return refuse('A test has no supplier.');
  const chosen = await knownChoice(db, given);
  if (chosen === undefined) return refuse('This supplier was deleted.');
  const change = await changeAtOnce(db, record, chosen);
  if (!change && (await findListOfImport(db, id))?.state === 'counted') {
    return refuse(
      'This list is in use for its supplier. Choose Ignore This List on the supplier’s page, then change the supplier.',
    );
  }
  if (!change) return beginReread(db, id, { chosen, currency });
  const reason = await findBlockingReason(db, record, 'reread');
  if (reason !== undefined) return refuse(reason);
  await changeImport(db, id, await change());
  if (record.supplier === null) await enqueueKeepItems(db, id);
  return { ok: true, import: await readImport(db, id) };
}

/** Replaces a chosen name by the id of the supplier with that name, if any. Undefined if a chosen id is unknown. */
async function knownChoice(db: Db, chosen: ChosenSupplier): Promise<ChosenSupplier | undefined> {
  if ('name' in chosen) {
    await suppliers.lockNewSuppliers(db);
    const known = await suppliers.findSupplier(db, { name: chosen.name });
    return known ? { supplier: known.id } : chosen;
  }
  return chosen.supplier === null || (await suppliers.findSupplier(db, { id: chosen.supplier }))
    ? chosen
    : undefined;
}

/** Returns a function that changes the supplier without a re-read, or undefined if a re-read is needed. */
async function changeAtOnce(db: Db, record: ImportRecord, chosen: ChosenSupplier) {
  const { id, supplier: own, rows_removed_at } = record;
  const rows = currentRows(record);
  const isOfOwn =
    own !== null && ('name' in chosen ? !(await hasOtherLists(db, own, id)) : chosen.supplier === own);
  if (isOfOwn) {
    return async () => {
      await suppliers.confirmName(db, own, 'name' in chosen ? chosen.name : undefined);
      await storeChosenSupplier(db, rows, { supplier: own });
      return { supplier_by: 'operator' as const };
    };
  }
  const isOfOther = own !== null || ('supplier' in chosen && chosen.supplier !== null);
  if (isOfOther || rows_removed_at !== null) return undefined;
  return async () => {
    const list = await readSampledList(db, record, rows);
    return assignSupplier(db, record, rows, await supplierByChoice(db, list, chosen));
  };
}
