import { toScannedValues } from '@draftshelf/domain/scanner/scanned-product';
import type { Db } from '../connection/database.ts';
import type { ImportRecord, ScannedRecord } from '../connection/schema.ts';
import { findImport, isUuid, lockImport } from '../imports/imports.ts';
import { lockRows } from '../review/rows-lock.ts';
import { findBlockingReason } from '../work/blocking.ts';
import { currentRows } from '../work/runs.ts';
import { enqueueTask } from '../work/tasks.ts';
import { findAddedRow, insertAddedRow, listOutdatedImports } from './added-rows.ts';
import { findAddRefusal, hasCurrentRows, isImportIdle, updateAddedRows } from './update-added-rows.ts';

export type AddResult =
  /** `isRow`: true if the product has a row now, false if the row is added after the file has been read. */
  | { ok: true; import: ImportRecord; isRow: boolean }
  /** `reason` is a sentence, or null if the import does not exist. */
  | { ok: false; reason: string | null };

/** Adds a product to an import as a row after the file's rows, now or after reading. The caller locks the product. */
export async function addToImport(db: Db, importId: string, product: ScannedRecord): Promise<AddResult> {
  if (!isUuid(importId)) return { ok: false, reason: null };
  await lockRows(db, importId);
  const record = await lockImport(db, importId);
  if (!record) return { ok: false, reason: null };
  const isNew = (await findAddedRow(db, importId, product.id)) === undefined;
  const isRow = await hasCurrentRows(db, record);
  if (isNew) {
    const reason = findAddRefusal(record);
    if (reason !== null) return { ok: false, reason };
    const blocked = await findBlockingReason(db, record, 'addProduct');
    if (blocked !== undefined) return { ok: false, reason: blocked };
    await insertAddedRow(db, importId, product, toScannedValues(product));
    if (isRow) await updateAddedRows(db, record, { productId: product.id });
  }
  const now = isNew ? await findImport(db, importId) : record;
  return { ok: true, import: now ?? record, isRow };
}

/** Maximum number of imports updated after a product changes, latest additions first. A re-read updates the others. */
const followingMax = 50;
/** Number of these imports that are updated in the transaction of the change. A task updates the others. */
const atOnceMax = 2;

/**
 * Updates a product's rows in its imports, in the transaction that changed the product. Imports that are being read or
 * pushed are updated later. `chosen`: an import to which the transaction adds the product. All imports are locked in
 * order of id.
 */
export async function followProduct(db: Db, product: ScannedRecord, chosen: string | null): Promise<void> {
  const behind = await listOutdatedImports(db, product, followingMax);
  const locked = new Set(behind.slice(0, atOnceMax));
  if (chosen !== null && isUuid(chosen)) locked.add(chosen);
  for (const importId of [...new Set([...behind, ...locked])].sort()) {
    if (!locked.has(importId)) {
      await followLater(db, importId);
      continue;
    }
    await lockRows(db, importId);
    const record = await lockImport(db, importId);
    const follows = record && behind.includes(importId) && isImportIdle(record);
    if (follows && (await findBlockingReason(db, record, 'addProduct')) !== undefined)
      await followLater(db, importId);
    else if (follows) await updateAddedRows(db, record, { productId: product.id });
  }
}

async function followLater(db: Db, importId: string): Promise<void> {
  const record = await findImport(db, importId);
  if (record && isImportIdle(record)) await enqueueTask(db, currentRows(record), 'update-added');
}
