import { toSearchText } from '@draftshelf/domain/base/search-text';
import { findBrokenGuards, findGuardColumn, type GuardIssue } from '@draftshelf/domain/products/guards';
import { createOptionFormatter } from '@draftshelf/domain/products/variant-options';
import { findCellIssues } from '@draftshelf/domain/review/cell-issues';
import {
  decodeRecordIssues,
  isDuplicate,
  issuesIn,
  leftOutBit,
  toIssueSet,
  withDuplicate,
} from '@draftshelf/domain/review/issue-set';
import type { RowIssue } from '@draftshelf/domain/review/issues';
import { type RowClass, rowClasses, worstClass } from '@draftshelf/domain/review/row-rule';
import { toStoredValues } from '@draftshelf/domain/review/stored-values';
import { type ValidatedRow, validateProduct } from '@draftshelf/domain/review/validate-row';
import type { Db } from '../connection/database.ts';
import type { RowFacet } from '../connection/schema.ts';
import type { RekeyedRow } from '../review/duplicates.ts';
import {
  computeValues,
  type EffectiveRow,
  findRowsOfProducts,
  isFileRow,
  readRowsByNumber,
  type SizedProduct,
  toStoredSources,
} from '../review/effective-rows.ts';
import { diffFacets } from '../review/row-facets.ts';
import { type RowValidation, updateValidations } from '../review/validated-rows.ts';
import { findUnknownRows } from '../suppliers/partial-rows.ts';
import { readEarlierPrices } from '../suppliers/row-items.ts';
import { type RowRules, type RunOfRows, readRowRules } from '../work/runs.ts';

export const productsPerBatch = 2_000;

export type ValidatedProducts = {
  classes: Record<RowClass, number>;
  facets: RowFacet[];
  rekeyed: RekeyedRow[];
};

/** Validates products and updates changed rows. The caller has locked the rows and applies the returned changes. */
export async function validateProducts(
  db: Db,
  of: RunOfRows,
  products: readonly number[],
): Promise<ValidatedProducts> {
  return validateParts(db, of, await readParts(db, of, products));
}

/**
 * Validates the first products with about 5,000 rows in total, at least one product, so that a step of finalize takes
 * no longer with large products. `taken`: the number of these products. `supplier`: given for a list of prices and
 * stock, whose rows get an issue if they have no item of this supplier.
 */
export async function validateNextProducts(
  db: Db,
  of: RunOfRows,
  products: readonly number[],
  supplier: number | null = null,
): Promise<Pick<ValidatedProducts, 'classes' | 'facets'> & { taken: number }> {
  const parts = await readParts(db, of, products);
  const { classes, facets } = await validateParts(db, of, parts.slice(0, 1), supplier);
  const next = parts[1]?.[0];
  return { classes, facets, taken: next ? products.indexOf(next.product) : products.length };
}

async function validateParts(
  db: Db,
  of: RunOfRows,
  parts: readonly (readonly SizedProduct[])[],
  supplier: number | null = null,
): Promise<ValidatedProducts> {
  const all: ValidatedProducts[] = [];
  const rules = await readRowRules(db, of);
  for (const part of parts) {
    const numbers = part.flatMap(({ rows: ofProduct }) => ofProduct);
    const rows = await readRowsByNumber(db, of, numbers);
    const fromFile = rows.filter(isFileRow).map(({ row }) => row);
    const unknown = supplier === null ? null : await findUnknownRows(db, of, supplier, fromFile);
    const now = await computeValues(db, of, rows);
    const read = rows.map((row, at) => {
      return { before: row, now: now[at] ?? row, isUnknown: unknown?.has(row.row) };
    });
    all.push(await validateRows(db, of, read, rules));
  }
  return mergeValidations(all);
}

export function mergeValidations(parts: readonly ValidatedProducts[]): ValidatedProducts {
  const classes = { valid: 0, warning: 0, error: 0 };
  for (const part of parts) for (const name of rowClasses) classes[name] += part.classes[name];
  const facets = parts.flatMap((part) => part.facets);
  return { classes, facets, rekeyed: parts.flatMap((part) => part.rekeyed) };
}

/** Limits for the rows in memory. A single product may exceed them. */
const partRowsMax = 5_000;
const partBytesMax = 8 * 1024 * 1024;

/** Finds the row numbers of products, in the order of the products and in parts that fit into memory. */
export async function readParts(db: Db, of: RunOfRows, products: readonly number[], rowsMax = partRowsMax) {
  const found = new Map((await findRowsOfProducts(db, of, products)).map((one) => [one.product, one]));
  const parts: SizedProduct[][] = [];
  let [rows, bytes] = [0, 0];
  for (const one of products.flatMap((product) => found.get(product) ?? [])) {
    rows += one.rows.length;
    bytes += one.bytes;
    if (parts.length === 0 || rows > rowsMax || bytes > partBytesMax) {
      parts.push([]);
      [rows, bytes] = [one.rows.length, one.bytes];
    }
    parts.at(-1)?.push(one);
  }
  return parts;
}

/** A row with its values after edits. `isUnknown`: whether it lacks an item of its supplier; undefined if unchecked. */
export type RowToValidate = {
  before: EffectiveRow;
  now: Pick<EffectiveRow, 'values' | 'sources' | 'leftOut'>;
  isUnknown?: boolean | undefined;
};

/** Validates all rows of products and stores the results in one UPDATE. The caller has locked the rows. */
export async function validateRows(
  db: Db,
  of: RunOfRows,
  rows: readonly RowToValidate[],
  rules: RowRules,
): Promise<ValidatedProducts> {
  const classes = { valid: 0, warning: 0, error: 0 };
  const pairs: (RowToValidate & { after: RowValidation & Pick<EffectiveRow, 'ignored'> })[] = [];
  const broken = await guardChecker(db, of, rows, rules);
  for (const ofProduct of Map.groupBy(rows, ({ before }) => before.product).values()) {
    const isPartial = rules.isPartial && ofProduct.every(({ before }) => isFileRow(before));
    const values = ofProduct.map(({ now }) => now.values);
    const isOut = (at: number) => ofProduct[at]?.now.leftOut === true;
    const found = validateProduct(values, { ...rules, isPartial }, isOut);
    const beyond = broken?.(ofProduct);
    const optionsOf = createOptionFormatter(values);
    const validated = ofProduct.flatMap((row, at) => {
      const columns = found[at];
      if (columns === undefined) return [];
      const after = revalidatedRow(row, columns, rules, beyond?.[at] ?? []);
      const { ignored } = row.before;
      return [{ ...row, after: { ...after, ignored, options: optionsOf(row.now.values) } }];
    });
    classes[worstOf(validated.map(({ before }) => before.class))] -= 1;
    classes[worstOf(validated.map(({ after }) => after.class))] += 1;
    pairs.push(...validated);
  }
  const stored = pairs.map(({ before, after }) => {
    return { before: { ...before, sources: toStoredSources(before.sources) }, after };
  });
  await updateValidations(db, of, stored);
  return {
    classes,
    facets: diffFacets(pairs),
    rekeyed: pairs.map(({ before, after }) => ({
      row: before.row,
      before: { sku: before.sku, gtin: before.gtin },
      after: { sku: after.sku, gtin: after.gtin },
    })),
  };
}

/** Returns a function that finds the guards that a product's rows break. Null if there are no guards. */
async function guardChecker(
  db: Db,
  of: RunOfRows,
  rows: readonly RowToValidate[],
  { guards, mapping }: RowRules,
): Promise<((product: readonly RowToValidate[]) => GuardIssue[][]) | null> {
  if (guards === null || mapping === null) return null;
  const { guardColumn, guardChange } = guards;
  const column = guardColumn === null ? -1 : findGuardColumn(mapping, guardColumn);
  const numbers = rows.map(({ before }) => before.row);
  const pricesThen = guardChange === null ? null : await readEarlierPrices(db, of, numbers);
  return (product) =>
    findBrokenGuards(
      product.map(({ before: { row, cells, item_price: price }, now: { values } }) => ({
        ...{ values, cell: cells[column], price, priceThen: pricesThen?.get(row) ?? null },
      })),
      guards,
    );
}

function revalidatedRow(
  { before, now, isUnknown }: RowToValidate,
  { issues, ...columns }: ValidatedRow,
  { mapping }: RowRules,
  beyond: readonly GuardIssue[],
): Omit<RowValidation, 'options'> {
  const kept = keptIssues(before, columns.gtin, now.values.sku ?? null);
  const ofCells =
    mapping === null ? 0 : findCellIssues((column) => before.cells[column], mapping, now.values);
  if (isUnknown) kept.push('unknown-product');
  kept.push(...beyond);
  return {
    row: before.row,
    ...columns,
    ...toStoredValues(now.values),
    sources: toStoredSources(now.sources),
    class: kept.includes('unknown-product') ? 'warning' : columns.class,
    search: toSearchText(now.values, columns.gtin),
    issues: withDuplicate(
      toIssueSet(kept) + issues + ofCells + (now.leftOut ? leftOutBit : 0),
      isDuplicate(before.issues),
    ),
  };
}

/** Returns the issues that do not depend on values. 'in-other-import' is kept only if SKU and GTIN are unchanged. */
function keptIssues(before: EffectiveRow, gtin: string | null, sku: string | null): RowIssue[] {
  const isSameKey = before.sku === sku && before.gtin === gtin;
  const ofRecord = decodeRecordIssues(before.issues);
  const isInOther = isSameKey && issuesIn(before.issues).includes('in-other-import');
  return isInOther ? [...ofRecord, 'in-other-import'] : ofRecord;
}

const worstOf = (classes: readonly RowClass[]): RowClass => classes.reduce(worstClass, 'valid');
