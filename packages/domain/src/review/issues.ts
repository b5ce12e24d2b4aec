import type { CanonicalField } from '../base/canonical-fields.ts';

/**
 * `warning`: the title or the price is missing. A row with both warnings has the class 'error'. A note changes no
 * class. A test checks that severities match `classOf`, which looks only at title and price.
 */
export type IssueSeverity = 'error' | 'warning' | 'note';

/**
 * `refused`: the product is not sent, or the store refuses it. `check`: the product is sent, but something is probably
 * wrong. `info`: the product is sent; the issue explains how a value was read, or one question to the operator settles
 * it for the whole import. A consequence differs from a severity: a text that is too long is a note, but refused.
 */
export const consequences = ['refused', 'check', 'info'] as const;
export type Consequence = (typeof consequences)[number];

type Issue = {
  /** Null if the issue is not about a value. */
  field: CanonicalField | null;
  severity: IssueSeverity;
  consequence: Consequence;
};

/** All issues, in the order in which a row shows them. Append only: a code's position is its bit in the database. */
const catalog = {
  'bad-quote': { field: null, severity: 'note', consequence: 'info' },
  'unclosed-quote': { field: null, severity: 'note', consequence: 'info' },
  'mixed-line-ends': { field: null, severity: 'note', consequence: 'info' },
  'invalid-utf8': { field: null, severity: 'note', consequence: 'check' },
  nul: { field: null, severity: 'note', consequence: 'check' },
  'lone-cr': { field: null, severity: 'note', consequence: 'info' },
  'extra-separator': { field: null, severity: 'note', consequence: 'info' },
  'missing-separator': { field: null, severity: 'note', consequence: 'info' },
  'too-few-cells': { field: null, severity: 'note', consequence: 'check' },
  'too-many-cells': { field: null, severity: 'note', consequence: 'check' },
  'title-missing': { field: 'title', severity: 'warning', consequence: 'refused' },
  'title-too-long': { field: 'title', severity: 'note', consequence: 'refused' },
  'price-missing': { field: 'price', severity: 'warning', consequence: 'refused' },
  'price-not-numeric': { field: 'price', severity: 'warning', consequence: 'refused' },
  'upc-check-digit': { field: 'upc', severity: 'note', consequence: 'check' },
  duplicate: { field: null, severity: 'note', consequence: 'check' },
  'upc-digits-lost': { field: 'upc', severity: 'note', consequence: 'check' },
  'other-currency': { field: 'price', severity: 'note', consequence: 'info' },
  'in-other-import': { field: 'sku', severity: 'note', consequence: 'info' },
  'price-repeated': { field: 'price', severity: 'note', consequence: 'info' },
  'brand-too-long': { field: 'vendor', severity: 'note', consequence: 'refused' },
  'type-too-long': { field: 'type', severity: 'note', consequence: 'refused' },
  'tag-too-long': { field: 'tags', severity: 'note', consequence: 'refused' },
  'sku-too-long': { field: 'sku', severity: 'note', consequence: 'refused' },
  'upc-too-long': { field: 'upc', severity: 'note', consequence: 'refused' },
  'option-too-long': { field: 'option1Value', severity: 'note', consequence: 'refused' },
  'quantity-not-numeric': { field: 'quantity', severity: 'note', consequence: 'check' },
  'quantity-negative': { field: 'quantity', severity: 'note', consequence: 'check' },
  'price-zero': { field: 'price', severity: 'note', consequence: 'check' },
  'compare-at-below-price': { field: 'compareAtPrice', severity: 'note', consequence: 'check' },
  'cost-above-price': { field: 'cost', severity: 'note', consequence: 'check' },
  'upc-two-codes': { field: 'upc', severity: 'note', consequence: 'check' },
  'image-invalid': { field: 'image', severity: 'note', consequence: 'check' },
  'too-many-tags': { field: 'tags', severity: 'note', consequence: 'refused' },
  'parent-without-price': { field: 'price', severity: 'warning', consequence: 'info' },
  'unknown-product': { field: null, severity: 'warning', consequence: 'refused' },
  'formula-error': { field: null, severity: 'note', consequence: 'check' },
  'formula-not-calculated': { field: null, severity: 'note', consequence: 'check' },
  'made-a-date': { field: null, severity: 'note', consequence: 'check' },
  'guard-cost': { field: 'price', severity: 'note', consequence: 'check' },
  'guard-column': { field: 'price', severity: 'note', consequence: 'check' },
  'guard-change': { field: 'price', severity: 'note', consequence: 'check' },
  'third-decimal': { field: 'price', severity: 'note', consequence: 'check' },
  'amount-inferred': { field: 'price', severity: 'note', consequence: 'info' },
  'quantity-loose': { field: 'quantity', severity: 'note', consequence: 'check' },
  'price-of-several': { field: 'price', severity: 'note', consequence: 'check' },
  'text-cleaned': { field: null, severity: 'note', consequence: 'info' },
  'text-garbled': { field: null, severity: 'note', consequence: 'check' },
  'image-page': { field: 'image', severity: 'note', consequence: 'check' },
  'same-options': { field: 'option1Value', severity: 'note', consequence: 'check' },
  'quantity-missing': { field: 'quantity', severity: 'note', consequence: 'info' },
  // The issue may concern any field; `findUnsentValues` finds the field.
  'value-unread': { field: 'weight', severity: 'note', consequence: 'info' },
} as const satisfies Record<string, Issue>;

export type IssueCode = keyof typeof catalog;

/** An issue that is found in the row alone. A duplicate depends on other rows. */
export type RowIssue = Exclude<IssueCode, 'duplicate'>;

/** Issues of single cells of the file. They end when another value replaces the cell (cell-issues.ts). */
export const ofCells = [
  ...(['formula-error', 'formula-not-calculated', 'made-a-date'] as const),
  ...(['third-decimal', 'amount-inferred', 'price-of-several'] as const),
  ...(['text-cleaned', 'text-garbled'] as const),
] as const;
export type CellIssue = (typeof ofCells)[number];

export const issueCodes = Object.keys(catalog) as IssueCode[];

export const rowIssueCodes = issueCodes.filter((code): code is RowIssue => code !== 'duplicate');

export const issueField = (code: IssueCode): CanonicalField | null => catalog[code].field;

export const issueSeverity = (code: IssueCode): IssueSeverity => catalog[code].severity;

export const issueConsequence = (code: IssueCode): Consequence => catalog[code].consequence;

export const consequenceFilters = ['refused', 'check'] as const satisfies readonly Consequence[];

/** Filters for rows that a person has left out of the push, and for ignored lines of totals. */
const outFilters = ['left-out', 'totals'] as const;
export type ExcludedRowFilter = (typeof outFilters)[number];

/** Filters for rows by issue: a code, 'any' code, any code with a consequence, or rows that are left out. */
export const issueFilters = [...issueCodes, 'any', ...consequenceFilters, ...outFilters] as const;
export type IssueFilter = (typeof issueFilters)[number];

export const codesWithConsequence = (consequence: Consequence): IssueCode[] =>
  issueCodes.filter((code) => issueConsequence(code) === consequence);
