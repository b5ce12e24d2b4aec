import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { toScannedValues } from '@draftshelf/domain/scanner/scanned-product';
import type { Db } from '../connection/database.ts';
import type { AddedRowRecord, ScannedRecord } from '../connection/schema.ts';
import { computeValues, type EffectiveRow, readOverlay } from '../review/effective-rows.ts';
import { currentRows, type RunOfRows, readParseRun, readRun } from '../work/runs.ts';
import { listAddedRowProducts } from './added-rows.ts';
import { findNewestRow, getAddedRowOffset, readStoredAddedRows } from './run-added-rows.ts';
import type { ScannedVersion } from './scanned-products.ts';

export type SyncValues = Pick<EffectiveRow, 'values' | 'sources'> & {
  place: { of: RunOfRows; row: number } | null;
};

/** Reads values for a sync, with edits and found values of the newest row, so that sync and push send equal values. */
export async function readSyncValues(db: Db, product: ScannedRecord): Promise<SyncValues> {
  const newest = await findNewestRow(db, product.id);
  const of = newest && currentRows(newest);
  const rows = of && (await readRowsOfNow(db, of, [{ ...product, ordinal: newest.ordinal }]));
  const [rowOfNow] = rows?.values() ?? [];
  // The product is in no import, or a newer run has just replaced the rows.
  if (!of || !rowOfNow) return { values: toScannedValues(product), sources: {}, place: null };
  const { row, values, sources } = rowOfNow;
  return { values, sources, place: { of, row } };
}

/** Returns added rows with products' current values. Stored rows may be older than the values that a sync has sent. */
export async function applyCurrentProducts(
  db: Db,
  of: RunOfRows,
  rows: readonly EffectiveRow[],
): Promise<{ rows: EffectiveRow[]; versions: Map<string, ScannedVersion> }> {
  const offsets = rows.flatMap((row) => (row.byte_from < 0 ? [row.byte_from] : []));
  const products = await listAddedRowProducts(db, of.import_id, offsets);
  const changed = products.filter(({ version, row_version }) => version !== row_version);
  const now = await readRowsOfNow(db, of, changed);
  // Values of disabled sources do not apply, but rows may still have them until a task has removed them.
  const { lacks_values } = await readRun(db, { ...of, stage: 'parse' }, ['lacks_values']);
  const current = lacks_values ? await computeValues(db, of, rows) : rows;
  return {
    rows: current.map((row) => ({ ...row, ...now.get(row.byte_from) })),
    versions: new Map(products.map(({ own_id, id, version }) => [own_id, { id, version }])),
  };
}

type RowOfNow = Pick<EffectiveRow, 'row' | 'values' | 'sources' | 'leftOut'>;

/** Rebuilds rows from current product values, with edits and found values on top. Returns them by offset. */
async function readRowsOfNow(
  db: Db,
  of: RunOfRows,
  products: readonly (ScannedRecord & Pick<AddedRowRecord, 'ordinal'>)[],
): Promise<Map<number, RowOfNow>> {
  if (products.length === 0) return new Map();
  const stored = await readStoredAddedRows(db, of, products);
  const { mapping } = await readParseRun(db, of);
  const overlay = await readOverlay(db, of, [...stored.values()]);
  const rows = new Map<number, RowOfNow>();
  for (const product of products) {
    const row = stored.get(getAddedRowOffset(product));
    if (!row) continue;
    const { values, sources, leftOut } = overlay(row, {
      ...toScannedValues(product),
      ...mapping.optionNames,
    });
    // Removes values that the product no longer has.
    for (const field of Object.keys(row.left) as CanonicalField[]) {
      if (sources[field] === 'found') delete values[field];
    }
    rows.set(row.byte_from, { row: row.row, values, sources, leftOut });
  }
  return rows;
}
