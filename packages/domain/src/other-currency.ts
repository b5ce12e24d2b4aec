import { type CanonicalField, fieldSpecs, type RowValues } from './canonical-fields.ts';
import { currencyCode, type Money, parseMoney } from './money.ts';

/** An amount of a row in another currency than the store's. */
export type OtherCurrency = { field: CanonicalField; amount: string; named: string };

const furtherFields = ['compareAtPrice', 'cost'] as const satisfies readonly CanonicalField[];

/**
 * The first amount of a row that is in another currency than `currency`, or null: named in the cell, or by the row's
 * currency column. `inherited`: what the row has from those before it. `price`: its price, if it is parsed already.
 */
export function otherCurrency(
  values: RowValues,
  { inherited, currency, price }: { inherited: RowValues; currency: string; price?: Money | null },
): OtherCurrency | null {
  const own = values.price === undefined ? null : (price ?? parseMoney(values.price));
  const named = own && (own.currency ?? currencyOfRow(values, inherited));
  if (own && named && named !== currency) return { field: 'price', amount: own.amount, named };
  for (const field of furtherFields) {
    const text = values[field];
    // Nearly all amounts are bare numbers, which name no currency.
    if (text === undefined || isBare(text)) continue;
    const money = parseMoney(text);
    if (money?.currency && money.currency !== currency) {
      return { field, amount: money.amount, named: money.currency };
    }
  }
  return null;
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

/** The currencies that the amounts of some rows name beside the store's, each once, in the order of the rows. */
export function otherCurrenciesOf(rows: readonly RowValues[], currency: string): string[] {
  const named = rows.map((values) => otherCurrency(values, { inherited: {}, currency })?.named);
  return [...new Set(named.filter((one) => one !== undefined))];
}
