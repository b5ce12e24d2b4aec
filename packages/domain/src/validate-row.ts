import type { RowValues } from './canonical-fields.ts';
import { type Inheritance, inherit, inheritanceOf } from './grouping.ts';
import { gtinIn } from './gtin.ts';
import { parseMoney } from './money.ts';
import { classOf, type RowClass } from './row-rule.ts';

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
  issues: RowIssue[];
};

/** Issues that the operator should see. They never change the class of a row: title and price alone decide it. */
export const rowIssues = {
  'title-missing': { field: 'title', message: 'Title is missing.' },
  'price-missing': { field: 'price', message: 'Price is missing.' },
  'price-not-numeric': { field: 'price', message: 'Price isn’t a valid number, so it counts as missing.' },
  'title-too-long': {
    field: 'title',
    message: 'Title is longer than Shopify’s 255-character limit.',
  },
  'upc-check-digit': {
    field: 'upc',
    message: 'UPC is invalid (wrong length or check digit).',
  },
  'bad-quote': { field: null, message: 'Quotes on this line don’t match; read as plain text.' },
  'unclosed-quote': {
    field: null,
    message: 'A quote is never closed; read as plain text.',
  },
  'invalid-utf8': {
    field: null,
    message: 'Some characters couldn’t be decoded and show as \uFFFD.',
  },
  'lone-cr': {
    field: null,
    message: 'A cell contains a different kind of line break; it was kept.',
  },
  'mixed-line-ends': {
    field: null,
    message: 'This line’s break differs from the rest of the file; read the same way.',
  },
  nul: { field: null, message: 'Contains null bytes, which Shopify doesn’t accept.' },
  'too-few-cells': { field: null, message: 'Fewer cells than columns. Values may be in the wrong columns.' },
  'too-many-cells': { field: null, message: 'More cells than columns. Values may be in the wrong columns.' },
  'extra-separator': {
    field: null,
    message: 'Extra separator. We realigned the values to the columns they fit.',
  },
  'missing-separator': {
    field: null,
    message: 'Missing separator. We realigned the values to the columns they fit.',
  },
} as const satisfies Record<string, { field: string | null; message: string }>;
export type RowIssue = keyof typeof rowIssues;

/** The Admin API's limit for a product title. */
const titleCharsMax = 255;

/**
 * Validates a row: its class by the specification's rule, and the issues of its values. `inherited`: values that the
 * row of a group has from the rows before it.
 */
export function validateRow(values: RowValues, inherited: RowValues): ValidatedRow {
  const title = values.title ?? inherited.title;
  const priceText = values.price ?? inherited.price;
  const money = priceText ? parseMoney(priceText) : null;
  const gtin = values.upc === undefined ? null : (gtinIn(values.upc)?.gtin ?? null);
  const issues: RowIssue[] = [];
  if (!title) issues.push('title-missing');
  else if (title.length > titleCharsMax) issues.push('title-too-long');
  if (!priceText) issues.push('price-missing');
  else if (!money) issues.push('price-not-numeric');
  if (values.upc !== undefined && gtin === null) issues.push('upc-check-digit');
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
export function productValidator(): { next: (values: RowValues) => ValidatedRow } {
  let inheritance: Inheritance | undefined;
  return {
    next(values) {
      const inherited = inheritance ? inherit(values, inheritance) : {};
      inheritance ??= inheritanceOf(values);
      return validateRow(values, inherited);
    },
  };
}

/** Those of a row's issues that belong to the record of the file, so that editing values does not fix them. */
export function recordIssues(issues: readonly string[] | null): string[] {
  return (issues ?? []).filter((code) => rowIssues[code as RowIssue]?.field === null);
}
