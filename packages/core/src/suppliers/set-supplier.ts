import { canDo } from '@draftshelf/domain/imports/import-status';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { type ActionResult, refusedIn } from '../imports/action-result.ts';
import { changeImport, findImport, lockImport } from '../imports/imports.ts';
import { beginReread } from '../reading/begin-reread.ts';
import { blockedBy } from '../work/blocking.ts';
import { type ChosenSupplier, chooseSupplier, currentRows } from '../work/runs.ts';
import { supplierByChoice } from './find-supplier.ts';
import { enqueueKeepItems } from './items.ts';
import { findListOf, hasOtherLists } from './lists.ts';
import { settleSupplier } from './settle-supplier.ts';
import { findSupplier, lockNewSuppliers, nameByOperator, setSupplierName } from './suppliers.ts';

const isTest = { ok: false, reason: 'A test is nobody’s list.' } as const;
const counts = {
  ok: false,
  reason: 'This list counts for its supplier. Say that it doesn’t count first.',
} as const;
const isMissing = { ok: false, reason: 'This supplier was deleted.' } as const;

/**
 * Sets an import's supplier. A name that a supplier has, in any case, is that supplier. Begins a re-read, to compare
 * the rows with the other supplier's items; without such items it is done at once. `currency`: the store's, if known.
 */
export async function setSupplier(
  db: Db,
  id: string,
  given: ChosenSupplier,
  currency: string | null,
): Promise<ActionResult> {
  const record = await lockImport(db, id);
  if (!record || !canDo('reread', record.status)) return refusedIn(record);
  if (record.test_mode) return isTest;
  const chosen = await knownChoice(db, given);
  if (chosen === undefined) return isMissing;
  const change = await changeAtOnce(db, record, chosen);
  if (!change && (await findListOf(db, id))?.state === 'counted') return counts;
  if (!change) return beginReread(db, id, { chosen, currency });
  const reason = await blockedBy(db, record, 'reread');
  if (reason !== undefined) return { ok: false, reason };
  await changeImport(db, id, await change());
  const changed = await findImport(db, id);
  if (!changed) throw new Error(`Import ${id} is gone`);
  if (record.supplier === null) await enqueueKeepItems(db, id);
  return { ok: true, import: changed };
}

/** Replaces the name of an existing supplier by its id; undefined if the id does not exist. */
async function knownChoice(db: Db, chosen: ChosenSupplier): Promise<ChosenSupplier | undefined> {
  if ('name' in chosen) {
    await lockNewSuppliers(db);
    const known = await findSupplier(db, { name: chosen.name });
    return known ? { supplier: known.id } : chosen;
  }
  return chosen.supplier === null || (await findSupplier(db, { id: chosen.supplier })) ? chosen : undefined;
}

/** Returns the change if no other supplier has items; undefined if it needs a re-read. */
async function changeAtOnce(db: Db, record: ImportRecord, chosen: ChosenSupplier) {
  const { id, supplier: own, rows_removed_at } = record;
  const rows = currentRows(record);
  const confirm = async (supplier: number) => {
    await chooseSupplier(db, rows, { supplier });
    return { supplier_by: 'operator' as const };
  };
  if (own !== null && 'supplier' in chosen && chosen.supplier === own) {
    return async () => nameByOperator(db, own).then(() => confirm(own));
  }
  if (own !== null && 'name' in chosen && !(await hasOtherLists(db, own, id))) {
    return async () => setSupplierName(db, own, chosen.name).then(() => confirm(own));
  }
  const isOfOther = own !== null || ('supplier' in chosen && chosen.supplier !== null);
  if (isOfOther || rows_removed_at !== null) return undefined;
  return async () => settleSupplier(db, record, rows, await supplierByChoice(db, record, rows, chosen));
}
