import type { CanonicalField } from './canonical-fields.ts';
import { tagLimitName, tooLongIssue } from './store-limits.ts';

/**
 * How serious an issue is. Title and price alone decide the class of a row (row-rule.ts); a test checks that the two
 * agree: a warning is a missing title or price, and a row with both has the class error. A note changes no class.
 */
export type IssueSeverity = 'error' | 'warning' | 'note';

/**
 * What an issue means for the push. `refused`: the product is not sent, or the store refuses it. `check`: it is sent,
 * but something is probably wrong. `info`: it is sent; the issue says how it was read. Apart from the severity, which
 * decides the class: an over-long text is a note, and refused. What is asked once for the whole import, such as about
 * another currency, is info of its rows.
 */
export const consequences = ['refused', 'check', 'info'] as const;
export type Consequence = (typeof consequences)[number];

type Issue = {
  /** The field whose value it is about; null if it is not about a value. */
  field: CanonicalField | null;
  severity: IssueSeverity;
  consequence: Consequence;
  /** The sentence for the operator; null if it depends on more than the code. */
  text: string | null;
};

/**
 * Every issue that a row can have, in the order in which a row shows them. Append only: a code's position is its bit in
 * the database (issue-set.ts).
 */
const catalog = {
  'bad-quote': {
    field: null,
    severity: 'note',
    consequence: 'info',
    text: 'Quotes on this line don’t match; read as plain text.',
  },
  'unclosed-quote': {
    field: null,
    severity: 'note',
    consequence: 'info',
    text: 'A quote is never closed; read as plain text.',
  },
  'mixed-line-ends': {
    field: null,
    severity: 'note',
    consequence: 'info',
    text: 'This line’s break differs from the rest of the file; read the same way.',
  },
  'invalid-utf8': {
    field: null,
    severity: 'note',
    consequence: 'check',
    text: 'Some characters couldn’t be decoded and show as \uFFFD.',
  },
  nul: {
    field: null,
    severity: 'note',
    consequence: 'check',
    text: 'Contains null bytes, which Shopify doesn’t accept.',
  },
  'lone-cr': {
    field: null,
    severity: 'note',
    consequence: 'info',
    text: 'A cell contains a different kind of line break; it was kept.',
  },
  'extra-separator': {
    field: null,
    severity: 'note',
    consequence: 'info',
    text: 'Extra separator. We realigned the values to the columns they fit.',
  },
  'missing-separator': {
    field: null,
    severity: 'note',
    consequence: 'info',
    text: 'Missing separator. We realigned the values to the columns they fit.',
  },
  'too-few-cells': {
    field: null,
    severity: 'note',
    consequence: 'check',
    text: 'Fewer cells than columns. Values may be in the wrong columns.',
  },
  'too-many-cells': {
    field: null,
    severity: 'note',
    consequence: 'check',
    text: 'More cells than columns. Values may be in the wrong columns.',
  },
  'title-missing': { field: 'title', severity: 'warning', consequence: 'refused', text: 'Title is missing.' },
  'title-too-long': tooLongIssue('title-too-long'),
  'price-missing': { field: 'price', severity: 'warning', consequence: 'refused', text: 'Price is missing.' },
  'price-not-numeric': {
    field: 'price',
    severity: 'warning',
    consequence: 'refused',
    text: 'Price isn’t a valid number, so it counts as missing.',
  },
  'upc-check-digit': {
    field: 'upc',
    severity: 'note',
    consequence: 'check',
    text: 'UPC is invalid (wrong length or check digit). It’s sent as it is.',
  },
  duplicate: { field: null, severity: 'note', consequence: 'check', text: null },
  'upc-digits-lost': {
    field: 'upc',
    severity: 'note',
    consequence: 'check',
    text: 'A spreadsheet has rounded this UPC, so it isn’t sent. Enter the full number.',
  },
  'other-currency': {
    field: 'price',
    severity: 'note',
    consequence: 'info',
    text: 'An amount is in another currency than the store’s. Amounts aren’t converted.',
  },
  'in-other-import': {
    field: 'sku',
    severity: 'note',
    consequence: 'info',
    text: 'Another import that isn’t pushed yet has the same SKU or UPC.',
  },
  'price-repeated': {
    field: 'price',
    severity: 'note',
    consequence: 'info',
    text: 'This row repeats a price in another currency, so it isn’t sent.',
  },
  'brand-too-long': tooLongIssue('brand-too-long'),
  'type-too-long': tooLongIssue('type-too-long'),
  'tag-too-long': tooLongIssue('tag-too-long'),
  'sku-too-long': tooLongIssue('sku-too-long'),
  'upc-too-long': tooLongIssue('upc-too-long'),
  'option-too-long': tooLongIssue('option-too-long'),
  'quantity-not-numeric': {
    field: 'quantity',
    severity: 'note',
    consequence: 'check',
    text: 'Quantity isn’t a number, so 0 is sent.',
  },
  'quantity-negative': {
    field: 'quantity',
    severity: 'note',
    consequence: 'check',
    text: 'Quantity is negative. It’s sent as it is.',
  },
  'price-zero': {
    field: 'price',
    severity: 'note',
    consequence: 'check',
    text: 'Price is 0. It’s sent as it is.',
  },
  'compare-at-below-price': {
    field: 'compareAtPrice',
    severity: 'note',
    consequence: 'check',
    text: 'Compare-at price is below the price, so no discount is shown.',
  },
  'cost-above-price': {
    field: 'cost',
    severity: 'note',
    consequence: 'check',
    text: 'Cost is above the price.',
  },
  'upc-two-codes': {
    field: 'upc',
    severity: 'note',
    consequence: 'check',
    text: 'The cell has several UPCs. The first valid one is sent.',
  },
  'image-invalid': {
    field: 'image',
    severity: 'note',
    consequence: 'check',
    text: 'Image isn’t a web address, so it isn’t sent.',
  },
  'too-many-tags': {
    field: 'tags',
    severity: 'note',
    consequence: 'refused',
    text: `Over ${tagLimitName}.`,
  },
} as const satisfies Record<string, Issue>;

export type IssueCode = keyof typeof catalog;

/** An issue that is found in the row alone. Whether it is a duplicate depends on other rows. */
export type RowIssue = Exclude<IssueCode, 'duplicate'>;

/** The codes in the order of the catalog. */
export const issueCodes = Object.keys(catalog) as IssueCode[];

export const rowIssues = issueCodes.filter((code): code is RowIssue => code !== 'duplicate');

export function issueField(code: IssueCode): CanonicalField | null {
  return catalog[code].field;
}

export function issueSeverity(code: IssueCode): IssueSeverity {
  return catalog[code].severity;
}

export function issueConsequence(code: IssueCode): Consequence {
  return catalog[code].consequence;
}

/** Consequences that rows are counted and filtered by. */
export const consequenceFilters = ['refused', 'check'] as const satisfies readonly Consequence[];
export type ConsequenceFilter = (typeof consequenceFilters)[number];

/** The codes of a consequence, in the order of the catalog. */
export function issuesWith(consequence: Consequence): IssueCode[] {
  return issueCodes.filter((code) => issueConsequence(code) === consequence);
}

/** The sentence for the operator. */
export function issueText(code: RowIssue): string {
  return catalog[code].text;
}

/** The sentence for a row with the same value as an earlier one; `field` is 'upc' or 'sku'. */
export function duplicateText(field: string, firstRow: number): string {
  return `Duplicate ${field === 'upc' ? 'UPC' : 'SKU'}: same as row ${firstRow}.`;
}

/** The sentence for a row whose SKU or UPC is in another import too. `isWaiting`: that import is still not pushed. */
export function inOtherImportText(field: string, filename: string, isWaiting: boolean): string {
  const key = field === 'upc' ? 'UPC' : 'SKU';
  const state = isWaiting ? 'isn’t pushed yet' : 'wasn’t pushed yet when this was checked';
  return `The same ${key} is also in ${filename}, which ${state}.`;
}
