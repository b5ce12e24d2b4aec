import type { RowValues } from '../base/canonical-fields.ts';
import { quantityToSend } from '../base/quantity.ts';
import { addsOnlyImage, findParentIndex, repeatsInOtherCurrency } from './grouping.ts';
import { hasOptionValue } from './variant-options.ts';

/**
 * Returns the rows that are variants. Three kinds of rows are not: a row that only adds an image (its price is
 * inherited), a row that only repeats an earlier variant's price in another currency, and a first row that is only the
 * parent (the others name it as their parent, or all have option values while it has no option and no stock).
 */
export function listVariantRows(rows: readonly RowValues[]): RowValues[] {
  const [first = {}, ...others] = moveParentFirst(rows);
  const bySku = new Map<string, RowValues>(first.sku ? [[first.sku, first]] : []);
  const further = others.filter((row) => {
    const isImage = addsOnlyImage(row) && (!row.price || row.price === first.price);
    const earlier = row.sku ? bySku.get(row.sku) : undefined;
    if (isImage || !hasVariantValue(row) || (earlier && repeatsInOtherCurrency(row, earlier.currency)))
      return false;
    if (row.sku && !earlier) bySku.set(row.sku, row);
    return true;
  });
  const isNamedParent = further.some(
    ({ parentSku, sku }) => parentSku && parentSku !== sku && [first.sku, first.handle].includes(parentSku),
  );
  const isParentByOptions =
    further.length > 0 &&
    further.every(hasOptionValue) &&
    !hasOptionValue(first) &&
    quantityToSend(first.quantity) === 0;
  return isNamedParent || isParentByOptions ? further : [first, ...further];
}

/** Moves the row that other rows name as their parent to the front. */
export function moveParentFirst<Row extends RowValues>(rows: readonly Row[]): readonly Row[] {
  const at = findParentIndex(rows);
  return at === 0 ? rows : [rows[at] as Row, ...rows.filter((_, place) => place !== at)];
}

/** Returns the rows that are variants and not left out, in the order of the draft's variants. */
export function listSentVariants(rows: readonly RowValues[], leftOut: readonly number[] = []): RowValues[] {
  const left = new Set(leftOut.map((at) => rows[at]));
  return listVariantRows(rows).filter((row) => !left.has(row));
}

function hasVariantValue(row: RowValues): boolean {
  return Boolean(row.price || row.sku || row.upc || row.quantity || hasOptionValue(row));
}
