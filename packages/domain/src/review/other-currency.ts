import { type CanonicalField, fieldSpecs, moneyFields, type RowValues } from '../base/canonical-fields.ts';
import { isDigit, type Money, parseCurrency, parseMoney, readCurrency, usesSign } from '../base/money.ts';
import { isNoCode } from '../base/no-code.ts';
import type { IssueCode } from './issues.ts';

export type OtherCurrencyAmount = { field: CanonicalField; amount: string; named: string };

/** `inherited`: values from earlier rows of the product. `price`: the row's price if it is already parsed. */
type OfRow = { inherited: RowValues; currency: string; price?: Money | null };

/** Returns the first amount that is not in `currency`, according to its own cell or the currency column. */
export function findOtherCurrency(values: RowValues, of: OfRow): OtherCurrencyAmount | null {
  for (const field of moneyFields) {
    const other = otherIn(field, values, of);
    if (other !== null) return other;
  }
  return null;
}

/** The currency column applies to the price only. */
function otherIn(
  field: (typeof moneyFields)[number],
  values: RowValues,
  { inherited, currency, price }: OfRow,
): OtherCurrencyAmount | null {
  const text = values[field];
  // Nearly all amounts are plain numbers, which name no currency.
  if (text === undefined || (field !== 'price' && isBare(text))) return null;
  const own = field === 'price' ? (price ?? parseMoney(text)) : parseMoney(text);
  if (own === null) return null;
  const inCell = own.currency ?? (own.sign && !usesSign(currency, own.sign) ? own.sign : null);
  const named = inCell ?? (field === 'price' ? currencyOfRow(values, inherited, currency) : null);
  return named && named !== currency ? { field, amount: own.amount, named } : null;
}

/** Returns the currency column's currency. Null for a later row without options, whose repeated price is not sent. */
function currencyOfRow(values: RowValues, inherited: RowValues, store: string): string | null {
  if (values.currency === undefined) return null;
  const isFurther = inherited.title !== undefined && values.option1Value === undefined;
  return isFurther ? null : (readCurrency(values.currency) ?? namedCurrency(values.currency, store));
}

const namesMax = 1000;
const namedBefore = new Map<string, string | null>();

/** Reads a currency cell that is not a code. Words that do not mean the store's currency mean another one. */
function namedCurrency(cell: string, store: string): string | null {
  const key = `${store} ${cell}`;
  let named = namedBefore.get(key);
  if (named === undefined) {
    named = isStoreCurrency(cell, store) ? null : (parseCurrency(cell) ?? wordsOf(cell));
    if (namedBefore.size >= namesMax) namedBefore.clear();
    namedBefore.set(key, named);
  }
  return named;
}

const wordsMax = 20;
const wordsOf = (cell: string): string | null =>
  isNoCode(cell) || !/[\p{L}\p{Sc}]/u.test(cell) ? null : cell.trim().slice(0, wordsMax);

const languages = 'en de fr es it nl pt da sv nb fi pl cs tr ru ja zh ko ar'.split(' ');

/** Returns whether a text means the store's currency: by sign, by code among words, or by the beginning of a name. */
function isStoreCurrency(cell: string, store: string): boolean {
  const text = cell.trim().toLowerCase();
  const marks = text.toUpperCase().split(/[^\p{L}$¥]+/u);
  if (marks.includes(store) || marks.some((mark) => usesSign(store, mark))) return true;
  const display = (currencyDisplay: 'narrowSymbol' | 'name', language = 'en') =>
    (0).toLocaleString(language, { style: 'currency', currency: store, currencyDisplay });
  const symbol = display('narrowSymbol').replace(/[\d.,\s]/g, '');
  if (symbol.toLowerCase() === text) return true;
  const names = languages.flatMap((language) => [
    new Intl.DisplayNames(language, { type: 'currency' }).of(store) ?? '',
    display('name', language),
  ]);
  return (
    text.length > 1 && names.some((name) => ` ${name.toLowerCase().replace(/\s/g, ' ')}`.includes(` ${text}`))
  );
}

const isBare = (text: string) => isDigit(text.charCodeAt(0)) && isDigit(text.charCodeAt(text.length - 1));

/** Returns the sentence about an amount in another currency, whether it is sent or not. */
export const otherCurrencyText = ({ field, named }: OtherCurrencyAmount, currency: string): string =>
  `${fieldSpecs[field].label} is in ${named}, but the store uses ${currency}. Amounts aren’t converted.`;

export function unconvertedText(other: OtherCurrencyAmount, currency: string): string {
  const { label } = fieldSpecs[other.field];
  return `${label} is in ${other.named}, but the store uses ${currency}. It’s sent as ${other.amount} ${currency}, without conversion.`;
}

/** Returns the currencies other than the store's in the amounts of rows, each once, in the order of the rows. */
export function listOtherCurrencies(rows: readonly RowValues[], currency: string): string[] {
  const of: OfRow = { inherited: {}, currency };
  const named = rows.flatMap((values) =>
    moneyFields.flatMap((field) => otherIn(field, values, of)?.named ?? []),
  );
  return [...new Set(named)];
}

/** Issues of rows whose price is not sent. */
export const unpricedIssues = [
  ...(['price-missing', 'price-not-numeric', 'parent-without-price', 'price-repeated'] as const),
  'left-out',
] as const satisfies readonly (IssueCode | 'left-out')[];

/** Returns the number of rows in another currency if they are less than half of the priced rows, else null. */
export const countIfMinority = ({ other, priced }: { other: number; priced: number }): number | null =>
  other * 2 < priced ? other : null;
