import type { Db } from '@draftshelf/database/connection/database';
import { findImport, isUuid, lockImport } from '@draftshelf/database/imports/imports';
import { lockRows } from '@draftshelf/database/rows/rows-lock';
import { findAddedRow, insertAddedRow, listImportsBehind } from '@draftshelf/database/scanner/added-rows';
import type { ImportRecord, ScannedRecord } from '@draftshelf/database/schema';
import { scannedValues } from '@draftshelf/domain/scanned-product';
import { addRefusal, hasItsRows, isAtRest, updateAddedRows } from './update-added-rows.ts';

export type AddResult =
  /** `isRow`: it is a row already; else it becomes one when the file has been read. */
  | { ok: true; import: ImportRecord; isNew: boolean; isRow: boolean }
  /** `reason`: a sentence; null: there is no such import. */
  | { ok: false; reason: string | null };

/**
 * Adds a product of the library to an import, once, in the caller's transaction, which has stored or locked it. The
 * product becomes a row behind the last row of the file: at once, or when the file has been read.
 */
export async function addToImport(db: Db, importId: string, product: ScannedRecord): Promise<AddResult> {
  if (!isUuid(importId)) return { ok: false, reason: null };
  await lockRows(db, importId);
  const record = await lockImport(db, importId);
  if (!record) return { ok: false, reason: null };
  const isNew = (await findAddedRow(db, importId, product.id)) === undefined;
  const isRow = await hasItsRows(db, record);
  if (isNew) {
    const reason = addRefusal(record);
    if (reason !== null) return { ok: false, reason };
    await insertAddedRow(db, importId, product, scannedValues(product));
    if (isRow) await updateAddedRows(db, record, { productId: product.id });
  }
  const now = isNew ? await findImport(db, importId) : record;
  return { ok: true, import: now ?? record, isNew, isRow };
}

/** Imports that follow a change of a product at once, the newest. Older ones follow with their next re-read. */
const followingMax = 50;

/**
 * Changes the rows of a product in the imports that it was added to, in the transaction that has changed the product.
 * An import that is being read or pushed follows when that ends. No status changes.
 */
export async function followProduct(db: Db, product: ScannedRecord): Promise<void> {
  for (const importId of await listImportsBehind(db, product, followingMax)) {
    await lockRows(db, importId);
    const record = await lockImport(db, importId);
    if (record && isAtRest(record)) await updateAddedRows(db, record, { productId: product.id });
  }
}
