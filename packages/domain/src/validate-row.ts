import type { RowValues } from './canonical-fields.ts';
import { type Inheritance, inherit, inheritanceOf } from './grouping.ts';
import { gtinIn, hasLostDigits } from './gtin.ts';
import type { RowIssue } from './issues.ts';
import { parseMoney } from './money.ts';
import { otherCurrency } from './other-currency.ts';
import { classOf, type RowClass } from './row-rule.ts';
import { tooLongInRow } from './store-limits.ts';

/** What list, facets and search of rows need, from the effective values of a row. */
export type ValidatedRow = {
  class: RowClass;
  title: string | null;
  /** Decimal text; null if the price is missing or not numeric. */
  price: string | null;
  sku: string | null;
  /** 14 digits; null if the UPC is missing or invalid. */
  gtin: string | null;
  vendor: string | null;
  image: string | null;
  /** Those of the values. */
  issues: RowIssue[];
};

/**
 * Validates a row: its class by the specification's rule, and the issues of its values. `inherited`: values that the
 * row of a group has from the rows before it. `currency`: the store's; null: not known, so that no amount is in
 * another.
 */
export function validateRow(
  values: RowValues,
  inherited: RowValues,
  currency: string | null = null,
): ValidatedRow {
  const title = values.title ?? inherited.title;
  const priceText = values.price ?? inherited.price;
  const money = priceText ? parseMoney(priceText) : null;
  const gtin = values.upc === undefined ? null : (gtinIn(values.upc)?.gtin ?? null);
  const issues: RowIssue[] = [...tooLongInRow(values, title)];
  if (!title) issues.push('title-missing');
  if (!priceText) issues.push('price-missing');
  else if (!money) issues.push('price-not-numeric');
  if (values.upc !== undefined && gtin === null) {
    issues.push(hasLostDigits(values.upc) ? 'upc-digits-lost' : 'upc-check-digit');
  }
  if (currency !== null && otherCurrency(values, { price: money, inherited, currency })) {
    issues.push('other-currency');
  }
  if (inherited.currency !== undefined) issues.push('price-repeated');
  return {
    class: classOf((title ?? '').trim() !== '', money !== null),
    title: values.title ?? null,
    price: values.price === undefined ? null : (money?.amount ?? null),
    sku: values.sku ?? null,
    gtin,
    vendor: values.vendor ?? null,
    image: values.image ?? null,
    issues,
  };
}

/**
 * Validates the rows of one product in file order, with the same result as `grouper` and `validateRow` while a file is
 * read. It also works if the rows were not adjacent in the file, or if values have changed since.
 */
export function productValidator(currency: string | null): { next: (values: RowValues) => ValidatedRow } {
  let inheritance: Inheritance | undefined;
  return {
    next(values) {
      const inherited = inheritance ? inherit(values, inheritance) : {};
      inheritance ??= inheritanceOf(values);
      return validateRow(values, inherited, currency);
    },
  };
}
