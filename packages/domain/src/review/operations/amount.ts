import type { RowField } from '../../base/canonical-fields.ts';
import { currencyOfAmount, parseMoney, withAmount } from '../../base/money.ts';
import { compare, decimalText, type Fraction, fractionOf, zero } from './fraction.ts';
import type { LeftReason } from './left-reason.ts';
import { numberFields } from './operation.ts';

export type NumberField = (typeof numberFields)[number];

/** A number in a cell, and how to write another number as that cell does. */
export type Amount = {
  value: Fraction;
  /** The currency or unit that the cell names. */
  unit: string | null;
  /** Most digits behind the decimal point. */
  digits: number;
  write: (decimal: string) => string;
};

/** The currencies of amounts whose cells name none: the row's currency column, else the store's. */
export type Currencies = { row: string | undefined; store: string | null };

export const isNumberField = (field: RowField): field is NumberField =>
  (numberFields as readonly RowField[]).includes(field);

const noCurrencies: Currencies = { row: undefined, store: null };

export function amountIn(field: NumberField, text: string, currencies = noCurrencies): Amount | null {
  if (field === 'quantity') return quantityIn(text);
  return field === 'weight' ? weightIn(text) : moneyIn(text, currencies);
}

function moneyIn(text: string, currencies: Currencies): Amount | null {
  const money = parseMoney(text);
  if (money === null) return null;
  return {
    value: fractionOf(money.amount),
    unit: money.currency,
    digits: digitsOf(currencyOfAmount(money, currencies.row) ?? currencies.store),
    write: (decimal) => withAmount(text, decimal),
  };
}

/** A whole number of pieces. Files may write a minus, which prices never have. */
function quantityIn(text: string): Amount | null {
  const [, minus = '', number = ''] = /^\s*(-?)(.*)$/s.exec(text) ?? [];
  const money = parseMoney(number);
  if (money === null || money.currency !== null) return null;
  const value = fractionOf(minus + money.amount);
  return { value, unit: null, digits: 0, write: (decimal) => decimal };
}

/** Enough for a gram in kilograms, and for an ounce in pounds. */
const weightDigits = 4;

/** Longer cells are text. */
const weightCharsMax = 64;

/** A number with or without a unit, such as '2.5 kg'. */
function weightIn(text: string): Amount | null {
  if (text.length > weightCharsMax) return null;
  const [, number = '', space = '', unit = ''] = /^([\d.,'’\s]*?)(\s*)(\p{L}*\.?)$/u.exec(text.trim()) ?? [];
  const money = parseMoney(number);
  if (money === null) return null;
  return {
    value: fractionOf(money.amount),
    unit,
    digits: weightDigits,
    write: (decimal) => decimal.replace(/\.?0+$/, '') + space + unit,
  };
}

const digitsByCurrency = new Map<string, number>();

/** The number of digits behind the point of a currency's amounts: JPY 0, KWD 3; 2 if the currency is not known. */
function digitsOf(currency: string | null): number {
  if (currency === null) return 2;
  const known = digitsByCurrency.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  digitsByCurrency.set(currency, digits);
  return digits;
}

export function isSameAmount(field: RowField, a: string | undefined, b: string): boolean {
  if (!isNumberField(field)) return false;
  const [one, other] = [amountIn(field, a ?? ''), amountIn(field, b)];
  if (one === null || other === null) return false;
  return one.unit === other.unit && compare(one.value, other.value) === 0;
}

/** The reason why a number's field must not get a text; null if it may, or if the field has texts. */
export function amountProblem(field: RowField, text: string): LeftReason | null {
  if (!isNumberField(field)) return null;
  const amount = amountIn(field, text);
  if (amount === null) return 'not-allowed';
  const sign = compare(amount.value, zero);
  if (sign < 0 || (sign === 0 && field === 'price')) return 'no-result';
  const isWhole = amount.value.over % amount.value.under === 0n;
  return field === 'quantity' && !isWhole ? 'not-allowed' : null;
}

/** A result in the form of its cell; null if it is no valid amount: negative, or no quantity and not above 0. */
export function writtenResult(field: NumberField, result: Fraction, like: Amount): string | null {
  const decimal = decimalText(result, like.digits);
  const isPositive = result.over > 0n && /[1-9]/.test(decimal);
  if (field === 'quantity' ? decimal.startsWith('-') : !isPositive) return null;
  return like.write(decimal);
}
