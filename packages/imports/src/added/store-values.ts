import { currentRows, type RunOfRows, readParseRun } from '@draftshelf/database/chunks/runs';
import type { Db } from '@draftshelf/database/connection/database';
import { overlayOf } from '@draftshelf/database/rows/effective-rows';
import { findNewestRow, offsetOf, readStoredRows } from '@draftshelf/database/scanner/added-rows';
import type { ScannedRecord } from '@draftshelf/database/schema';
import type { CanonicalField, RowValues } from '@draftshelf/domain/canonical-fields';
import { scannedValues } from '@draftshelf/domain/scanned-product';

/** The values of a product, and the row that they are of; null: of none. */
export type StoreValues = { values: RowValues; place: { of: RunOfRows; row: number } | null };

/**
 * The values that a sync builds the draft of a product from. If the product is also a row of an import, the edits and
 * found values of the newest row lie over its own: a sync and a push of the import never undo each other. Its own
 * values are those of now, also while the import is being pushed and its row does not follow.
 */
export async function storeValues(db: Db, product: ScannedRecord): Promise<StoreValues> {
  const own = scannedValues(product);
  const newest = await findNewestRow(db, product.id);
  if (!newest) return { values: own, place: null };
  const of = currentRows(newest);
  const stored = (await readStoredRows(db, of, [newest])).get(offsetOf(newest));
  // A newer run has replaced the rows meanwhile.
  if (!stored) return { values: own, place: null };
  const { mapping } = await readParseRun(db, of);
  const overlay = await overlayOf(db, of, [stored]);
  const { values, sources } = overlay(stored, { ...own, ...mapping.optionNames });
  // Values that the product does not have any more.
  for (const field of Object.keys(stored.left) as CanonicalField[]) {
    if (sources[field] === 'found') delete values[field];
  }
  return { values, place: { of, row: stored.row } };
}
