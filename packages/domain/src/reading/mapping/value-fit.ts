import type { CanonicalField } from '../../base/canonical-fields.ts';
import { type ColumnEvidence, hasRowNumbers } from './column-evidence.ts';

type Judge = (column: ColumnEvidence) => number;

const amounts: Judge = ({ money, filled, text }) => {
  if (money >= 0.5) return 1;
  if (money === 0 && text > 0.5) return filled < 2 ? 0.3 : 0.1;
  return money > 0 || filled < 3 ? 0.5 : 0.15;
};
const words: Judge = ({ text, url, money }) => (url > 0.5 || money > 0.8 ? 0 : text > 0.3 ? 1 : 0.5);

/**
 * The fit of a column's values to the field that its header names: 1 fits, 0 contradicts. Headers are trusted where
 * values prove little, so most fields only reject values that cannot belong to them.
 */
const fits: Partial<Record<CanonicalField, Judge>> = {
  title({ text, url, money, distinct, filled, html, flag, chars, pairs }) {
    if (pairs > 0.7) return 0;
    if (url > 0.5 || flag > 0.8 || (money > 0.9 && text === 0)) return 0;
    if (text < 0.2) return 0.4;
    if (html > 0.5 || chars > 400) return 0.55;
    // If all rows have the same name, it is the name of a category, a brand or a shop.
    return filled >= 5 && distinct <= 1 / filled ? 0.35 : 1;
  },
  price(column) {
    if (column.flag > 0.5 && column.money < 0.5) return 0;
    if (column.money > 0 && column.amounts.every((amount) => amount === null || amount === 0)) return 0.4;
    if (column.isSequence) return 0.3;
    return amounts(column);
  },
  compareAtPrice: amounts,
  cost: amounts,
  sku(column) {
    const { url, words, chars, distinct, filled, flag, html, decimals } = column;
    if (url > 0.5 || html > 0.2) return 0;
    if (flag > 0.8) return 0.1;
    if (chars > 60 || words > 6) return 0.15;
    if (filled >= 4 && distinct <= 1 / filled) return 0.3;
    if (hasRowNumbers(column)) return 0.25;
    return decimals > 0.6 ? 0.5 : 1;
  },
  upc({ gtin, longDigits, filled, code, chars, money, url }) {
    if (gtin > 0.3 || longDigits > 0.4) return 1;
    if (url > 0.5 || chars > 40) return 0;
    // The values may be short numbers, ISBN-10 with X, or a supplier's own codes.
    return filled < 2 ? 0.8 : code > 0.5 || money > 0.5 ? 0.6 : 0.3;
  },
  description({ text, url, money, flag, chars }) {
    if (url > 0.5 || flag > 0.8 || (money > 0.9 && text === 0)) return 0;
    // The longer of two texts is more likely the description.
    return money > 0.7 || text === 0 ? 0.3 : 0.92 + 0.08 * Math.min(1, chars / 150);
  },
  vendor({ text, url, money, flag, html, chars }) {
    if (url > 0.5 || flag > 0.8) return 0;
    if (money > 0.7) return 0.1;
    return html > 0.2 || chars > 120 ? 0.3 : text > 0 ? 1 : 0.7;
  },
  quantity({ money, flag, loose, text, filled, decimals, integer, url, amounts: values }) {
    if (url > 0.5) return 0;
    // Words of availability among numbers: '12', 'in stock', '10+'.
    if (money > 0 && money < 0.5 && money + loose >= 0.9) return 0.8;
    if (flag > 0.5 && money < 0.5) return 0;
    if (money < 0.3) return filled < 2 ? 0.6 : text > 0.5 ? 0.1 : 0.4;
    // A column of only '0' and '1' may as well mean no and yes.
    if (filled >= 8 && values.every((value) => value === null || value === 0 || value === 1)) return 0.6;
    return decimals > 0.5 && integer < 0.3 ? 0.5 : 1;
  },
  type({ kind, text, url, money, flag, chars, filled, distinct }) {
    if (url > 0.5 || flag > 0.8) return 0;
    if (filled > 0 && kind > 0.6) return 0;
    if (money > 0.7 && text === 0) return 0.25;
    if (filled >= 3 && text === 0 && chars <= 2) return 0.1;
    if (chars > 150) return 0.3;
    return filled >= 5 && distinct <= 1 / filled ? 0.85 : 1;
  },
  image({ url, imageUrl, filled }) {
    return url > 0.3 || imageUrl > 0.3 ? 1 : filled < 2 ? 0.6 : 0.3;
  },
  tags: ({ url, money }) => (url > 0.5 || money > 0.8 ? 0.2 : 1),
  collections: ({ url, money }) => (url > 0.5 || money > 0.8 ? 0.2 : 1),
  origin: words,
  currency: ({ chars, money }) => (chars > 12 || money > 0.3 ? 0.1 : 1),
  weight: ({ text, money }) => (text > 0.5 && money < 0.2 ? 0.3 : 1),
  status: ({ chars, url }) => (url > 0.5 || chars > 40 ? 0.1 : 1),
  trackQuantity: ({ chars }) => (chars > 40 ? 0.2 : 1),
  continueSelling: ({ chars }) => (chars > 40 ? 0.2 : 1),
  handle: ({ chars, html }) => (html > 0.2 || chars > 250 ? 0.1 : 1),
};

/** Returns the fit of a column's values to a field, or 1 if the values are unknown. */
export function scoreValueFit(field: CanonicalField, column: ColumnEvidence | undefined): number {
  if (column === undefined || column.rows === 0) return 1;
  // A column that is empty in the whole sample may be filled further down.
  if (column.filled === 0) return column.rows < 3 ? 0.9 : 0.6;
  // Of two columns for a field, the emptier one holds exceptions: special prices, second barcodes.
  return (fits[field]?.(column) ?? 1) * (0.88 + 0.12 * column.fill);
}

/** The likeness of a column's values to a field, without the header: 0 not at all, 1 certainly. */
const likenesses: Partial<Record<CanonicalField, Judge>> = {
  upc: ({ gtin, longDigits, distinct, fill }) =>
    gtin > 0.8 && longDigits > 0.8 && distinct > 0.5 && fill > 0.3 ? 0.9 : gtin > 0.5 ? 0.7 : 0,
  image: ({ imageUrl, url }) => (imageUrl > 0.5 && url > 0.5 ? 0.85 : imageUrl > 0.8 ? 0.7 : 0),
  description({ html, chars, words: count, distinct, url, money, path, code, sentence }) {
    if (url > 0.3 || money > 0.3 || path > 0.5 || code > 0.5 || distinct < 0.3) return 0;
    if (html > 0.3) return 0.75;
    if (sentence > 0.5 && count > 4) return 0.7;
    return chars > 100 && count > 12 ? 0.7 : chars > 60 && count > 9 ? 0.5 : 0;
  },
  title(column) {
    const { text, words: count, chars, distinct, fill, url, html } = column;
    const { path, money, code, flag, slug, sentence, digitStart } = column;
    if (url > 0.1 || html > 0.2 || money > 0.3 || path > 0.4 || flag > 0.2 || code > 0.6 || slug > 0.5)
      return 0;
    if (text < 0.8 || distinct < 0.3 || fill < 0.1 || chars > 160) return 0;
    // Two Chinese or Japanese characters are a name, two Latin ones are a code.
    if (chars < 4 && count < 1.4) return 0;
    const length = count > 14 ? 0.7 : count >= 2.6 ? 1 : count >= 2 ? 0.92 : count >= 1.3 ? 0.78 : 0.58;
    const prose =
      (sentence > 0.5 ? 0.35 : sentence > 0.25 ? 0.7 : 1) * (digitStart <= 0.6 ? 1 : count > 5 ? 0.9 : 0.6);
    const varied = distinct > 0.85 ? 1 : distinct > 0.6 ? 0.85 : 0.65;
    return 0.85 * length * prose * varied * (fill > 0.8 ? 1 : 0.9);
  },
  quantity({ integer, amounts: values, isSequence: counts, longDigits, fill, distinct }) {
    if (integer < 0.95 || counts || longDigits > 0 || fill < 0.7) return 0;
    const numbers = values.filter((value) => value !== null);
    const isSmall = numbers.every((value) => value >= 0 && value < 10_000);
    if (distinct <= 1 / numbers.length || numbers.every((value) => value <= 1)) return 0;
    return isSmall && distinct < 0.97 ? 0.5 : isSmall ? 0.3 : 0;
  },
  sku({ code, integer, distinct, chars, fill, longDigits, gtin, url, slug, isSequence: counts, decimals }) {
    if (slug > 0.5) return 0;
    if (url > 0 || distinct < 0.9 || fill < 0.7 || chars > 40 || chars < 3 || gtin > 0.3 || decimals > 0.3)
      return 0;
    if (code > 0.8) return 0.7;
    return integer > 0.8 && !counts && longDigits < 0.5 && chars >= 4 ? 0.35 : 0;
  },
  type({ path, text, url, flag, kind, money, html, code }) {
    if (code > 0.3 || url > 0 || flag > 0.2 || kind > 0.8 || money > 0.2 || html > 0 || text < 0.8) return 0;
    return path > 0.5 ? 0.7 : 0;
  },
};

/** Returns the likeness of a column's values to a field, 0 to 1. */
export function scoreLikeness(field: CanonicalField, column: ColumnEvidence): number {
  return column.filled < 2 ? 0 : (likenesses[field]?.(column) ?? 0);
}
