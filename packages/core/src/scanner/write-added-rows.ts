import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { toSearchText } from '@draftshelf/domain/base/search-text';
import { createOptionFormatter } from '@draftshelf/domain/products/variant-options';
import { toRecordCells } from '@draftshelf/domain/reading/row-cells';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { toStoredValues } from '@draftshelf/domain/review/stored-values';
import { createProductValidator, rulesOf } from '@draftshelf/domain/review/validate-row';
import { toScannedValues } from '@draftshelf/domain/scanner/scanned-product';
import type { Db } from '../connection/database.ts';
import { storableJson } from '../connection/storable-json.ts';
import { type ValidatedProducts, validateProducts } from '../reading/validate-products.ts';
import { findProductsOfRows } from '../review/effective-rows.ts';
import { createFacetCounter } from '../review/row-facets.ts';
import { type RunOfRows, readParseRun } from '../work/runs.ts';
import {
  type AddedRowFilter,
  addedRowsPerPart,
  listAddedRows,
  listChangedProducts,
  updateAddedValues,
} from './added-rows.ts';
import {
  getAddedRowOffset,
  insertAddedRows,
  type NewAddedRow,
  readStoredAddedRows,
  replaceAddedCells,
  type StoredAddedRow,
} from './run-added-rows.ts';

type AddedPlan = {
  missing: Omit<NewAddedRow, 'row' | 'product'>[];
  changed: StoredAddedRow[];
  lastOrdinal: number | null;
};

/** Compares a run's next added rows with their products, and plans the changes. Rows of deleted products stay. */
export async function planAddedRows(db: Db, of: RunOfRows, which: AddedRowFilter): Promise<AddedPlan> {
  for (const product of await listChangedProducts(db, of.import_id, which)) {
    await updateAddedValues(db, of.import_id, product, toScannedValues(product));
  }
  const added = await listAddedRows(db, of.import_id, which);
  const plan: AddedPlan = { missing: [], changed: [], lastOrdinal: null };
  if (added.length === 0) return plan;
  if (added.length === addedRowsPerPart) plan.lastOrdinal = added.at(-1)?.ordinal ?? null;
  const stored = await readStoredAddedRows(db, of, added);
  const { headers, mapping, currency } = await readParseRun(db, of);
  const rules = { currency, ...rulesOf(mapping) };
  for (const row of added) {
    const composed = toRecordCells(row.values, mapping, headers.length);
    const before = stored.get(getAddedRowOffset(row));
    if (!before) {
      const values = { ...composed.left, ...readRowValues(composed.cells, mapping) };
      const validated = createProductValidator(rules)(values);
      const search = toSearchText(values, validated.gtin);
      plan.missing.push({
        ...composed,
        ...{ byte_from: getAddedRowOffset(row), ownId: row.own_id },
        ...validated,
        ...toStoredValues(values),
        options: createOptionFormatter([values])(values),
        search,
      });
    } else if (differs(before, composed)) {
      plan.changed.push({ ...before, ...composed });
    }
  }
  return plan;
}

type Composed = { cells: string[]; left: RowValues };

function differs(before: Composed, after: Composed): boolean {
  const inOrder = ({ left }: Composed) => Object.entries(left).sort(([a], [b]) => (a < b ? -1 : 1));
  const textOf = (one: Composed) => storableJson([one.cells, inOrder(one)]);
  return textOf(before) !== textOf(after);
}

/**
 * Writes the rows of a plan and validates their effective values, to which edits of earlier runs may apply. `last`:
 * the run's last row and product. Returns changes for the run's counts. The caller locks the rows.
 */
export async function writeAddedRows(
  db: Db,
  of: RunOfRows,
  { missing, changed }: AddedPlan,
  last: { row: number; product: number },
): Promise<ValidatedProducts & { appended: number[] }> {
  const rows = missing.map((one, at) => ({
    ...one,
    row: last.row + 1 + at,
    product: last.product + 1 + at,
    ignored: null,
  }));
  const counter = createFacetCounter();
  for (const row of rows) counter.add(row, 1);
  await insertAddedRows(db, of, rows);
  await replaceAddedCells(db, of, changed);
  const appended = rows.map(({ row }) => row);
  const written = [...appended, ...changed.map(({ row }) => row)];
  const products = await findProductsOfRows(db, of, written);
  const { classes, facets, rekeyed } = await validateProducts(db, of, products);
  for (const row of rows) classes[row.class] += 1;
  const isNew = new Set(appended);
  const noKeys = { sku: null, gtin: null };
  return {
    classes,
    facets: [...counter.facets(), ...facets],
    rekeyed: rekeyed.map((one) => (isNew.has(one.row) ? { ...one, before: noKeys } : one)),
    appended,
  };
}
