import type { RowValues } from './canonical-fields.ts';
import { type Inheritance, inherit, inheritanceOf } from './grouping.ts';
import { gtin14 } from './gtin.ts';
import { parseMoney } from './money.ts';
import { classOf, type RowClass } from './row-rule.ts';

/** What the list, the facets and the search of rows need of a row, judged by its effective values. */
export type ValidatedRow = {
  class: RowClass;
  title: string | null;
  /** Decimal text, or null where the price is absent or not numeric. */
  price: string | null;
  sku: string | null;
  /** 14 digits, or null where the UPC is absent or its check digit is wrong. */
  gtin: string | null;
  vendor: string | null;
  image: string | null;
  issues: RowIssue[];
};

/** What is worth the operator's look; it never changes a row's class by itself (decision C2). */
export const rowIssues = {
  'title-missing': { field: 'title', message: 'The title is empty.' },
  'price-missing': { field: 'price', message: 'The price is empty.' },
  'price-not-numeric': { field: 'price', message: 'The price is not a number, so it counts as absent.' },
  'title-too-long': {
    field: 'title',
    message: 'The title is longer than the 255 characters that Shopify takes.',
  },
  'upc-check-digit': {
    field: 'upc',
    message: 'The UPC has a wrong number of digits or a wrong check digit.',
  },
  'bad-quote': { field: null, message: 'The line has quotes that do not pair up; they were read as text.' },
  'unclosed-quote': {
    field: null,
    message: 'A quote opens on this line and never closes; it was read as text.',
  },
  'invalid-utf8': {
    field: null,
    message: 'The line has bytes that are not valid text; they are shown as \uFFFD.',
  },
  'lone-cr': {
    field: null,
    message: 'The line has a line end of another kind in the middle of a cell; it was kept.',
  },
  'mixed-line-ends': {
    field: null,
    message: 'The line ends in another way than most lines of the file; it was read like them.',
  },
  nul: { field: null, message: 'The line has NUL bytes, which a store cannot take.' },
  'too-few-cells': { field: null, message: 'The line has fewer cells than the header has columns.' },
  'too-many-cells': { field: null, message: 'The line has more cells than the header has columns.' },
  'extra-separator': {
    field: null,
    message: 'The line has a separator too many; its cells were put into the columns that their values fit.',
  },
  'missing-separator': {
    field: null,
    message: 'The line has a separator too few; its cells were put into the columns that their values fit.',
  },
} as const satisfies Record<string, { field: string | null; message: string }>;
export type RowIssue = keyof typeof rowIssues;

/** Shopify's limit for a product title (facts: limits of the Admin API). */
const titleCharsMax = 255;

/**
 * Judges a row by the specification's rule and notes what is wrong with its values. `inherited`: what a row of a
 * group has from those before it.
 */
export function validateRow(values: RowValues, inherited: RowValues): ValidatedRow {
  const title = values.title ?? inherited.title;
  const priceText = values.price ?? inherited.price;
  const money = priceText ? parseMoney(priceText) : null;
  const gtin = values.upc === undefined ? null : gtin14(values.upc);
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
 * Judges the rows of one product one after the other, in the order of the file: by what `grouper` and `validateRow` say
 * while a file is read, also where the rows did not stand together there, or their values have changed since.
 */
export function productValidator(): { next: (values: RowValues) => ValidatedRow } {
  let heritage: Inheritance | undefined;
  return {
    next(values) {
      const inherited = heritage ? inherit(values, heritage) : {};
      heritage ??= inheritanceOf(values);
      return validateRow(values, inherited);
    },
  };
}

/** Those of a row's issues that no change of a value mends: they are the record's. */
export function recordIssues(issues: readonly string[] | null): string[] {
  return (issues ?? []).filter((code) => rowIssues[code as RowIssue]?.field === null);
}
