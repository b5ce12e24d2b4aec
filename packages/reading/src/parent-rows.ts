import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { hasOptionValue, optionFields, optionTexts } from '@draftshelf/domain/products/variant-options';
import {
  type FileRules,
  mayNeedNoPrice,
  shareSameOptions,
  type ValidatedRow,
  withoutParentIssues,
} from '@draftshelf/domain/review/validate-row';

/**
 * Passes rows on in order. A row that lacks a price and may be only the parent of others is held back, and one with
 * options, each with the rows after it, until the last row of its product shows whether it is, or has the same ones.
 * Then the options of these rows are known.
 */
export function parentRows<
  Row extends Pick<ValidatedRow, 'class' | 'title' | 'issues'> & { options: string[] | null },
>(
  rules: FileRules,
): {
  /** Takes the next row. `startsProduct`: null for a row of no product. Returns the rows that are settled. */
  next(row: Row, values: RowValues, startsProduct: boolean | null): Row[];
  /** Returns the last rows. */
  end(): Row[];
} {
  let held: Row[] = [];
  let product: { row: Row; values: RowValues }[] = [];
  let mayBeParent = false;
  /** The names of options that rows of the product have had so far. */
  let names: RowValues = {};
  const end = () => {
    const [first] = held;
    const settled = held;
    const values = product.map((one) => one.values);
    shareSameOptions(
      values,
      product.map(({ row }) => row),
    );
    const textsOf = optionTexts([names, ...values]);
    for (const one of product) one.row.options = textsOf(one.values);
    if (first !== undefined && mayBeParent) first.issues = withoutParentIssues(values, first.issues);
    held = [];
    product = [];
    return settled;
  };
  return {
    next(row, values, startsProduct) {
      const settled = startsProduct ? end() : [];
      if (startsProduct) names = {};
      if (startsProduct !== null) for (const { name } of optionFields) names[name] ??= values[name];
      if (held.length === 0) {
        mayBeParent = startsProduct === true && mayNeedNoPrice(row, rules);
        if (!mayBeParent && !(startsProduct !== null && hasOptionValue(values))) return [...settled, row];
      }
      held.push(row);
      if (startsProduct !== null) product.push({ row, values });
      return settled;
    },
    end,
  };
}
