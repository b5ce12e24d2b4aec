import type { RowValues } from '../base/canonical-fields.ts';
import { choiceReaders } from '../base/field-choices.ts';
import { findGtin, hasLostDigits, hasSeveralGtins } from '../base/gtin.ts';
import type { MappedMetafield } from '../base/metafields.ts';
import { parseMoney } from '../base/money.ts';
import { isNoCode } from '../base/no-code.ts';
import { losesDecimals, readLooseQuantity, readQuantity } from '../base/quantity.ts';
import { compareAtPriceOf } from '../products/compare-at.ts';
import { isQuantityTracked } from '../products/draft-product.ts';
import {
  type Inheritance,
  inherit,
  inheritanceOf,
  mayBeParent,
  mayBeTemplate,
  mayHaveParentRows,
  optionsKeyOf,
} from '../products/grouping.ts';
import { findPictureIssue } from '../products/images.ts';
import { hasOptionValue } from '../products/variant-options.ts';
import { listVariantRows } from '../products/variant-rows.ts';
import type { HeaderMapping } from '../reading/mapping/header-mapping.ts';
import {
  hasIssue,
  type IssueSet,
  isLeftOut,
  issueBit,
  issuesIn,
  leftOutBit,
  toIssueSet,
} from './issue-set.ts';
import { findOtherCurrency } from './other-currency.ts';
import { classOf, type RowClass } from './row-rule.ts';
import { findExceededLimits } from './store-limits.ts';
import { findUnsentValues } from './unread-values.ts';

export type FileRules = {
  /** The store's currency. If null, the currency is not known, and no amount counts as in another currency. */
  currency: string | null;
  /** Whether some rows may be only the parents of other rows (`mayHaveParentRows`). */
  hasParents: boolean;
  /** Whether a column has quantities, so that a row can lack a quantity. */
  hasQuantities?: boolean;
  /** The file is a list of prices and stock of a known supplier, so its rows need no title and no price. */
  isPartial?: boolean;
  /** The definitions of the metafields in the file. */
  metafields?: readonly MappedMetafield[];
};

export const rulesOf = (
  mapping: Pick<HeaderMapping, 'sources' | 'metafields'>,
): Pick<FileRules, 'hasParents' | 'hasQuantities' | 'metafields'> => ({
  hasParents: mayHaveParentRows(mapping),
  hasQuantities: mapping.sources.quantity !== undefined,
  ...(mapping.metafields && { metafields: mapping.metafields }),
});

const rulesDefault: FileRules = { currency: null, hasParents: false };

export type CheckedRow = {
  class: RowClass;
  issues: IssueSet;
  /** The row's own or inherited price as decimal text. Null if it is missing or not numeric. */
  amount: string | null;
  /** 14 digits. Null if the UPC is missing or invalid. */
  gtin: string | null;
};

export type ValidatedRow = Omit<CheckedRow, 'amount'> & { price: string | null };

const plainQuantity = /^\d+$/;
const sameOptions = issueBit('same-options');

/**
 * Returns the class of a row by `classOf`, and the issues of its values. Upload preview, workers, edits and the
 * product dialog all call it. `inherited`: values from the rows before it in its group.
 */
export function checkRow(
  values: RowValues,
  inherited: RowValues,
  { currency, hasParents, hasQuantities = false, isPartial = false, metafields }: FileRules = rulesDefault,
): CheckedRow {
  const title = values.title ?? inherited.title;
  const priceText = values.price ?? inherited.price;
  const money = priceText ? parseMoney(priceText) : null;
  const gtin = values.upc === undefined ? null : (findGtin(values.upc)?.gtin ?? null);
  const over = findExceededLimits(values, title);
  let issues: IssueSet = over.length === 0 ? 0 : toIssueSet(over);
  if (!title && !isPartial) issues += issueBit('title-missing');
  const isParent = inherited.parentSku !== undefined;
  if (!priceText && !isPartial) issues += issueBit(isParent ? 'parent-without-price' : 'price-missing');
  else if (priceText && money === null) issues += issueBit('price-not-numeric');
  if (values.upc !== undefined && gtin === null) {
    if (hasLostDigits(values.upc)) issues += issueBit('upc-digits-lost');
    else if (!isNoCode(values.upc)) issues += issueBit('upc-check-digit');
  } else if (values.upc !== undefined && hasSeveralGtins(values.upc)) issues += issueBit('upc-two-codes');
  if (currency !== null && findOtherCurrency(values, { price: money, inherited, currency })) {
    issues += issueBit('other-currency');
  }
  if (inherited.option1Value !== undefined) issues += sameOptions;
  const mayBeSent = !hasParents || !mayBeParent(values, inherited);
  if (inherited.currency !== undefined) issues += issueBit('price-repeated');
  else if (values.price !== undefined && money !== null) {
    issues += amountIssues(values, money.amount, mayBeSent);
  }
  const ofPictures = findPictureIssue(values);
  if (ofPictures !== null) issues += issueBit(ofPictures);
  if (values.quantity !== undefined) issues += quantityIssue(values.quantity, values.trackQuantity);
  // A row without its own price is a parent or adds a picture. It needs no quantity, nor does a parent with price 0.
  else if (
    hasQuantities &&
    !isPartial &&
    values.price !== undefined &&
    inherited.currency === undefined &&
    isQuantityTracked(values) &&
    !(hasParents && mayBeTemplate(values)) &&
    (mayBeSent || Number(money?.amount) !== 0)
  ) {
    issues += issueBit('quantity-missing');
  }
  if (findUnsentValues(values, metafields).length > 0) issues += issueBit('value-unread');
  const hasTitle = isPartial || (title ?? '').trim() !== '';
  const rowClass = classOf(hasTitle, money !== null || (isPartial && !priceText));
  return { class: rowClass, issues, amount: money?.amount ?? null, gtin };
}

/** `mayBeSent`: false if the row is only a parent of other rows. */
function amountIssues(values: RowValues, price: string, mayBeSent: boolean): IssueSet {
  const { compareAtPrice, cost } = values;
  const amount = Number(price);
  if (amount === 0) return mayBeSent ? issueBit('price-zero') : 0;
  let issues: IssueSet = 0;
  if (compareAtPrice !== undefined) {
    const compareAt = compareAtPriceOf(values, price);
    if (compareAt !== null && Number(compareAt) < amount) issues += issueBit('compare-at-below-price');
  }
  if (cost !== undefined) {
    const own = parseMoney(cost);
    if (own === null ? !isNoCode(cost) : Number(own.amount) > amount) issues += issueBit('cost-above-price');
  }
  return issues;
}

/** A quantity that is not tracked is not sent, so it has no issue. */
function quantityIssue(text: string, trackQuantity: string | undefined): IssueSet {
  if (plainQuantity.test(text) || choiceReaders.trackQuantity(trackQuantity) === 'none') return 0;
  if (readLooseQuantity(text) !== null || losesDecimals(text)) return issueBit('quantity-loose');
  const quantity = readQuantity(text);
  if (quantity === null) return issueBit('quantity-not-numeric');
  return quantity < 0 ? issueBit('quantity-negative') : 0;
}

/** Checks a row, and returns the values that lists, facets and search need. Absent and inherited values are null. */
export function validateRow(
  values: RowValues,
  inherited: RowValues,
  rules: FileRules = rulesDefault,
): ValidatedRow {
  const { class: rowClass, issues, amount, gtin } = checkRow(values, inherited, rules);
  return { class: rowClass, price: values.price === undefined ? null : amount, gtin, issues };
}

/** Returns a function that validates a product's rows in file order, as `createGrouper` and `validateRow` do. */
export function createProductValidator(rules: FileRules = rulesDefault): (values: RowValues) => ValidatedRow {
  let inheritance: Inheritance | undefined;
  return (values) => {
    const inherited = inheritance ? inherit(values, inheritance) : {};
    inheritance ??= inheritanceOf(values);
    return validateRow(values, inherited, rules);
  };
}

/** Returns whether a product's first row lacks a price and may be a parent. If so, call `replaceParentIssues`. */
export const canBeParentRow = (
  { class: rowClass }: Pick<ValidatedRow, 'class'>,
  { title }: RowValues,
  { hasParents }: FileRules,
): boolean => hasParents && rowClass === 'warning' && title !== undefined;

/** Replaces the price issues of a first row that is only a parent by 'parent-without-price'. Its class stays. */
export function replaceParentIssues(rows: readonly RowValues[], issues: IssueSet): IssueSet {
  const [first] = rows;
  if (first === undefined || listVariantRows(rows).includes(first)) return issues;
  const others = issuesIn(issues).filter((code) => code !== 'price-missing' && code !== 'price-not-numeric');
  return toIssueSet([...others, 'parent-without-price']) + (isLeftOut(issues) ? leftOutBit : 0);
}

/**
 * Gives the issue 'same-options' to all rows with the same options, because `inherit` gives it only to the later rows.
 * `isOut`: the row is left out of the push, so its options do not count for other rows.
 */
export function markSameOptions(
  rows: readonly RowValues[],
  validated: readonly Pick<ValidatedRow, 'issues'>[],
  isOut: (at: number) => boolean = () => false,
): void {
  if (!validated.some(({ issues }) => hasIssue(issues, 'same-options'))) return;
  const ofRows = rows.map((row) => (hasOptionValue(row) ? optionsKeyOf(row) : null));
  const sent = new Map<string | null, number>();
  for (const [at, options] of ofRows.entries()) {
    if (!isOut(at)) sent.set(options, (sent.get(options) ?? 0) + 1);
  }
  for (const [at, row] of validated.entries()) {
    const options = ofRows[at] ?? null;
    const alike = options === null ? 0 : (sent.get(options) ?? 0);
    const isSame = alike > (isOut(at) ? 0 : 1);
    if (isSame !== hasIssue(row.issues, 'same-options')) row.issues += isSame ? sameOptions : -sameOptions;
  }
}

/** Validates all rows of one product, in file order. `isOut`: the row is left out of the push. */
export function validateProduct(
  rows: readonly RowValues[],
  rules: FileRules,
  isOut?: (at: number) => boolean,
): ValidatedRow[] {
  const validated = rows.map(createProductValidator(rules));
  markSameOptions(rows, validated, isOut);
  const [first, ...others] = validated;
  if (first === undefined || !canBeParentRow(first, rows[0] ?? {}, rules)) return validated;
  return [{ ...first, issues: replaceParentIssues(rows, first.issues) }, ...others];
}
