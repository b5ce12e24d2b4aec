import { rowClasses } from '@draftshelf/domain/review/row-rule';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { changeImport } from '../imports/imports.ts';
import { revalidateDuplicates } from '../review/duplicates.ts';
import { findProductsOfRows } from '../review/effective-rows.ts';
import { addToRunCounts } from '../review/row-facets.ts';
import { currentRows } from '../work/runs.ts';
import { mergeValidations, type ValidatedProducts, validateProducts } from './validate-products.ts';

/** Validates changed products, and updates facets, duplicates and counters. The caller has locked the rows. */
export async function refreshProducts(
  db: Db,
  record: ImportRecord,
  products: readonly number[],
): Promise<void> {
  if (products.length > 0)
    await updateCounts(db, record, [await validateProducts(db, currentRows(record), products)]);
}

/** Updates duplicates and the import's counts after products were validated. Locks the import. */
export async function updateCounts(
  db: Db,
  record: ImportRecord,
  parts: readonly ValidatedProducts[],
): Promise<void> {
  const { classes, facets, rekeyed } = mergeValidations(parts);
  const marked = await revalidateDuplicates(db, currentRows(record), rekeyed);
  await applyCountChanges(db, record, { classes, facets: [...facets, ...marked] });
}

export async function refreshRows(db: Db, record: ImportRecord, rows: readonly number[]): Promise<void> {
  if (rows.length > 0)
    await refreshProducts(db, record, await findProductsOfRows(db, currentRows(record), rows));
}

/** Adds differences to the counts of the shown rows. Locks the import if the counts change. */
export async function applyCountChanges(
  db: Db,
  record: ImportRecord,
  { classes, facets }: Pick<ValidatedProducts, 'classes' | 'facets'>,
): Promise<void> {
  if (rowClasses.every((name) => classes[name] === 0) && facets.length === 0) return;
  await changeImport(db, record.id, {});
  await addToRunCounts(db, currentRows(record), { classes, facets });
}
