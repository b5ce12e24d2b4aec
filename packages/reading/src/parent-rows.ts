import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import {
  type FileRules,
  mayNeedNoPrice,
  type ValidatedRow,
  withoutParentIssues,
} from '@draftshelf/domain/review/validate-row';

/**
 * Passes rows on in order. A row that lacks a price and may be only the parent of others is held back, with the rows
 * after it, until the last row of its product shows whether it is.
 */
export function parentRows<Row extends Pick<ValidatedRow, 'class' | 'title' | 'issues'>>(
  rules: FileRules,
): {
  /** Takes the next row. `startsProduct`: null for a row of no product. Returns the rows that are settled. */
  next(row: Row, values: RowValues, startsProduct: boolean | null): Row[];
  /** Returns the last rows. */
  end(): Row[];
} {
  let held: Row[] = [];
  let product: RowValues[] = [];
  const end = () => {
    const [first] = held;
    const settled = held;
    if (first !== undefined) first.issues = withoutParentIssues(product, first.issues);
    held = [];
    product = [];
    return settled;
  };
  return {
    next(row, values, startsProduct) {
      const settled = startsProduct ? end() : [];
      if (held.length === 0 && !(startsProduct && mayNeedNoPrice(row, rules))) return [...settled, row];
      held.push(row);
      if (startsProduct !== null) product.push(values);
      return settled;
    },
    end,
  };
}
