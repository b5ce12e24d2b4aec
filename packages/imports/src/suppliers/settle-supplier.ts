import type { Db } from '@draftshelf/database/connection/database';
import type { FoundSupplier, ImportRecord } from '@draftshelf/database/connection/schema';
import type { ImportChanges } from '@draftshelf/database/imports/imports';
import { beginList, leaveSupplier, setListFields } from '@draftshelf/database/suppliers/begin-list';
import { findListOf } from '@draftshelf/database/suppliers/lists';
import { addSigns, removeSigns } from '@draftshelf/database/suppliers/signs';
import {
  deleteUnused,
  findSupplier,
  insertSupplier,
  lockNewSuppliers,
  lockSupplier,
  nameByOperator,
  newestSupplier,
} from '@draftshelf/database/suppliers/suppliers';
import { chooseSupplier, type RunOfRows, readParseRun } from '@draftshelf/database/work/runs';
import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { readSampledList, supplierByEvidence } from './find-supplier.ts';

/**
 * Makes an import, which the caller has locked, a list of the supplier that was found for its run, and returns the
 * columns that say so. Begins the supplier if it is new. One that was deleted meanwhile leaves the import nobody's.
 */
export async function settleSupplier(
  db: Db,
  record: ImportRecord,
  of: RunOfRows,
  found: FoundSupplier,
): Promise<ImportChanges> {
  const { id, by, asked, signs } = await nowFound(db, record, of, found);
  const supplier = id !== null && (await lockSupplier(db, id)) ? id : null;
  const list = await findListOf(db, record.id);
  if (list && list.supplier !== supplier) {
    await leaveSupplier(db, list);
    await removeSigns(db, list.supplier, signs);
    await deleteUnused(db, list.supplier);
  }
  if (supplier !== null) {
    const fields = await readFields(db, of);
    if (list?.supplier === supplier) {
      // The items have the content of the reading that has counted.
      if (list.state !== 'counted') await setListFields(db, record.id, fields);
    } else {
      await beginList(db, supplier, record, fields);
      await addSigns(db, supplier, signs);
    }
  }
  if (by === 'operator') await chooseSupplier(db, of, { supplier });
  return {
    supplier,
    supplier_by: supplier === null && by === 'evidence' ? null : by,
    asked_supplier: asked?.supplier ?? null,
    asked_known: asked?.known ?? null,
    asked_sampled: asked?.sampled ?? null,
  };
}

/** What was found, with the id of the supplier, who begins now if it is new. */
async function nowFound(
  db: Db,
  record: ImportRecord,
  of: RunOfRows,
  found: FoundSupplier,
): Promise<FoundSupplier> {
  if (found.id !== null && found.by === 'operator') await nameByOperator(db, found.id);
  if (found.name === null) return found;
  await lockNewSuppliers(db);
  if (found.by === 'operator') {
    const known = await findSupplier(db, { name: found.name });
    if (known) await nameByOperator(db, known.id);
    return { ...found, id: known?.id ?? (await insertSupplier(db, found.name, true)) };
  }
  // Two first lists of a supplier may be read at once: one of them begins it.
  const now =
    found.newest < (await newestSupplier(db))
      ? await supplierByEvidence(db, record, await readSampledList(db, record, of))
      : found;
  return now.name === null ? now : { ...now, id: await insertSupplier(db, now.name, false) };
}

async function readFields(db: Db, of: RunOfRows): Promise<CanonicalField[]> {
  const { mapping } = await readParseRun(db, of);
  return Object.keys(mapping.sources) as CanonicalField[];
}
