import type { Db } from '@draftshelf/core/connection/database';
import type { ScannedRecord } from '@draftshelf/core/connection/schema';
import { type AddResult, addToImport } from '@draftshelf/core/scanner/add-to-import';
import { conflict, importNotFound, Refusal } from '../http/refusal.ts';

type Added = Extract<AddResult, { ok: true }>;

/**
 * Adds a product to an import in the caller's transaction. Throws a Refusal if the import is unknown or takes none.
 * `field`: the field of the body that names the import, which the refusal names too.
 */
export async function addedOrRefusal(
  trx: Db,
  product: ScannedRecord,
  { importId, field }: { importId: string; field: 'selectedBatch' | 'batchId' },
): Promise<Added> {
  const added = await addToImport(trx, importId, product);
  if (added.ok) return added;
  const { status, body } = added.reason === null ? importNotFound() : conflict(added.reason);
  throw new Refusal(status, { ...body, field });
}

/** The sentence about a product that was added to an import, now or before. */
export function addedWords({ import: { filename }, isRow }: Added): string {
  return isRow ? `Added to ${filename}.` : 'Added. It appears when the file has been read.';
}

/** The sentence about a row that has the SKU of the product to add. */
export function sameSkuWords(filename: string, row: number): string {
  return `${filename} already has this SKU in row ${row}.`;
}
