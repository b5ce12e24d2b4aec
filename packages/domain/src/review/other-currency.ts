import { type CanonicalField, fieldSpecs, type RowValues } from '../base/canonical-fields.ts';
import { currencyCode, type Money, parseMoney } from '../base/money.ts';
import type { IssueCode } from './issues.ts';

/** An amount of a row in another currency than the store's. */
export type OtherCurrency = { field: CanonicalField; amount: string; named: string };

const amountFields = ['price', 'compareAtPrice', 'cost'] as const satisfies readonly CanonicalField[];

/** `inherited`: what a row has from those before it. `price`: its price, if it is parsed already. */
type OfRow = { inherited: RowValues; currency: string; price?: Money | null };

/**
 * The first amount of a row that is in another currency than `currency`, or null: named in the cell, or by the row's
 * currency column.
 */
export function otherCurrency(values: RowValues, of: OfRow): OtherCurrency | null {
  for (const field of amountFields) {
    const other = otherIn(field, values, of);
    if (other !== null) return other;
  }
  return null;
}

/** A field's amount, if it is in another currency. Only a price may be in the currency of its row's column. */
function otherIn(
  field: (typeof amountFields)[number],
  values: RowValues,
  { inherited, currency, price }: OfRow,
): OtherCurrency | null {
  const text = values[field];
  // Nearly all amounts are bare numbers, which name no currency.
  if (text === undefined || (field !== 'price' && isBare(text))) return null;
  const own = field === 'price' ? (price ?? parseMoney(text)) : parseMoney(text);
  const named = own && (own.currency ?? (field === 'price' ? currencyOfRow(values, inherited) : null));
  return own && named && named !== currency ? { field, amount: own.amount, named } : null;
}

/** A further row without options may only repeat a price in another currency; such rows are not sent. */
function currencyOfRow(values: RowValues, inherited: RowValues): string | null {
  if (values.currency === undefined) return null;
  const isFurther = inherited.title !== undefined && values.option1Value === undefined;
  return isFurther ? null : currencyCode(values.currency);
}

const isDigit = (code: number) => code >= 48 && code <= 57;
const isBare = (text: string) => isDigit(text.charCodeAt(0)) && isDigit(text.charCodeAt(text.length - 1));

/** The sentence about a row, which may be sent or not. */
export function otherCurrencyText({ field, named }: OtherCurrency, currency: string): string {
  return `${fieldSpecs[field].label} is in ${named}, but the store uses ${currency}. Amounts aren’t converted.`;
}

/** The sentence about an amount that is sent. */
export function sentCurrencyText(other: OtherCurrency, currency: string): string {
  const { label } = fieldSpecs[other.field];
  return `${label} is in ${other.named}, but the store uses ${currency}. It’s sent as ${other.amount} ${currency}, without conversion.`;
}

/**
 * The currencies that the amounts of some rows name beside the store's, each once, in the order of the rows. A row may
 * have several: each of its amounts is sent as it is.
 */
export function otherCurrenciesOf(rows: readonly RowValues[], currency: string): string[] {
  const of: OfRow = { inherited: {}, currency };
  const named = rows.flatMap((values) =>
    amountFields.flatMap((field) => otherIn(field, values, of)?.named ?? []),
  );
  return [...new Set(named)];
}

/** Rows with one of these have no price that is sent. */
export const unpricedIssues = [
  ...(['price-missing', 'price-not-numeric', 'parent-without-price', 'price-repeated'] as const),
  'left-out',
] as const satisfies readonly (IssueCode | 'left-out')[];

/**
 * The rows in another currency, while they are less than half of the priced ones: then these rows are asked about, else
 * the whole list, which is null.
 */
export const fewInOtherCurrency = ({ other, priced }: { other: number; priced: number }): number | null =>
  other * 2 < priced ? other : null;
