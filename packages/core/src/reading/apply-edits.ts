import type { Db } from '../connection/database.ts';
import { readEditedRows } from '../review/commands/stored-edits.ts';
import type { RunOfRows } from '../work/runs.ts';
import { productsPerBatch, type ValidatedProducts, validateNextProducts } from './validate-products.ts';

const rowsPerScan = 10_000;

/** Validates the next edited rows' products after row `at`; returns the last row that is done. The rows are locked. */
export async function applyEdits(
  db: Db,
  of: RunOfRows,
  at: number,
): Promise<Pick<ValidatedProducts, 'classes' | 'facets'> & { at: number }> {
  const last = at + rowsPerScan;
  const edited = await readEditedRows(db, of, { at, last });
  const products = [...new Set(edited.map(({ product }) => product))].slice(0, productsPerBatch);
  const { taken, ...counts } = await validateNextProducts(db, of, products);
  const done = new Set(products.slice(0, taken));
  const open = edited.findIndex(({ product }) => !done.has(product));
  return { ...counts, at: open === -1 ? last : (edited[open - 1]?.row ?? last) };
}
