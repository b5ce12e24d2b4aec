import { leavingSentence } from '@draftshelf/domain/suppliers/leaving';
import type { Db } from '../connection/database.ts';
import type { FinalizeProgress, FoundSupplier, ImportRecord } from '../connection/schema.ts';
import type { ImportChanges } from '../imports/imports.ts';
import { MustWait } from '../work/complete-chunk.ts';
import { chooseSupplier, type RunOfRows, readChosenSupplier, readParseRun } from '../work/runs.ts';
import { addSigns, removeSigns } from './evidence.ts';
import { readSampledList, supplierByChoice, supplierByEvidence } from './find-supplier.ts';
import { findLeaving } from './leaving-suppliers.ts';
import { beginList, changeList, findListOf, hasOpenTaskOfOther, leaveSupplier } from './lists.ts';
import {
  insertSupplier,
  lockNewSuppliers,
  lockSupplier,
  lockSuppliers,
  nameByOperator,
  newestSupplier,
  readLastNumber,
} from './suppliers.ts';

/**
 * Returns the run's supplier if items must be found again before the rows become current, because another list came
 * first; else undefined. Locks the supplier, or new ones if it begins now. Throws MustWait while the other list is
 * being kept.
 */
export async function findOvertaken(
  db: Db,
  record: ImportRecord,
  of: RunOfRows,
  { supplier: found, lists }: Pick<FinalizeProgress, 'supplier' | 'lists'>,
): Promise<FoundSupplier | undefined> {
  const { id, name, newest } = found;
  if (id !== null) {
    // Also the one that the import leaves, in the order of ids: another import may go the other way.
    if (!(await lockSuppliers(db, [record.supplier ?? id, id])).includes(id)) {
      const again = await findAgain(db, record, of);
      return again.id === id ? undefined : again;
    }
    const leaving = await findLeaving(db, [id]);
    if (leaving) throw new MustWait(leavingSentence(leaving));
    const own = { supplier: id, import_id: record.id };
    const isOvertaken =
      (await readLastNumber(db, id)) > (lists ?? 0) || (await hasOpenTaskOfOther(db, 'keep-items', own));
    return isOvertaken ? found : undefined;
  }
  if (name === null) return undefined;
  await lockNewSuppliers(db);
  if (newest >= (await newestSupplier(db))) return undefined;
  const again = await findAgain(db, record, of);
  // A large list would never end while small lists of other new suppliers keep coming.
  return again.id === null && again.name === name ? undefined : again;
}

async function findAgain(db: Db, record: ImportRecord, of: RunOfRows): Promise<FoundSupplier> {
  const chosen = await readChosenSupplier(db, of);
  return chosen
    ? supplierByChoice(db, record, of, chosen)
    : supplierByEvidence(db, record, await readSampledList(db, record, of));
}

/**
 * Makes a locked import a list of the supplier found for its run, and returns the import's columns. Begins the supplier
 * if new: call `lockNewSuppliers` first. If it was deleted meanwhile, the import has none.
 */
export async function settleSupplier(
  db: Db,
  record: ImportRecord,
  of: RunOfRows,
  { id, name, by, asked, signs }: FoundSupplier,
): Promise<ImportChanges> {
  const isByOperator = by === 'operator';
  const found = name === null ? id : await insertSupplier(db, name, isByOperator);
  const supplier = found !== null && (await lockSupplier(db, found)) ? found : null;
  if (supplier !== null && isByOperator) await nameByOperator(db, supplier);
  const list = await findListOf(db, record.id);
  if (list && list.supplier !== supplier) {
    await leaveSupplier(db, list);
    await removeSigns(db, list.supplier, signs);
  }
  if (supplier !== null) {
    const fields = Object.keys((await readParseRun(db, of)).mapping.sources);
    if (list?.supplier === supplier) {
      // Items have the content of the reading that counted.
      if (list.state !== 'counted') await changeList(db, list, { fields });
    } else {
      await beginList(db, supplier, record, fields);
      await addSigns(db, supplier, signs);
    }
  }
  if (isByOperator) await chooseSupplier(db, of, { supplier });
  return {
    supplier,
    supplier_by: supplier === null && by === 'evidence' ? null : by,
    asked_supplier: asked?.supplier ?? null,
    asked_known: asked?.known ?? null,
    asked_sampled: asked?.sampled ?? null,
  };
}
