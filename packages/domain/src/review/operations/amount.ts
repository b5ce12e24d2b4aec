import type { RowField } from '../../base/canonical-fields.ts';
import { currencyOfAmount, parseMoney, replaceAmount } from '../../base/money.ts';
import { compareFractions, decimalText, type Fraction, fractionOf, zero } from './fraction.ts';
import type { UnchangedReason } from './left-reason.ts';
import { numberFields } from './operation.ts';

export type NumberField = (typeof numberFields)[number];

/** The number in a cell, and a function that writes another number in the form of the cell. */
export type Amount = {
  value: Fraction;
  /** The currency or unit in the cell. */
  unit: string | null;
  /** The maximum number of digits after the decimal point in a result. */
  digits: number;
  write: (decimal: string) => string;
};

/** Currencies for an amount that names none: the row's from the currency column, or else the store's. */
export type DefaultCurrencies = { row: string | undefined; store: string | null };

export const isNumberField = (field: RowField): field is NumberField =>
  (numberFields as readonly RowField[]).includes(field);

const noCurrencies: DefaultCurrencies = { row: undefined, store: null };

export function readFieldAmount(field: NumberField, text: string, currencies = noCurrencies): Amount | null {
  if (field === 'quantity') return quantityIn(text);
  return field === 'weight' ? weightIn(text) : moneyIn(text, currencies);
}

function moneyIn(text: string, currencies: DefaultCurrencies): Amount | null {
  const money = parseMoney(text);
  if (money === null) return null;
  return {
    value: fractionOf(money.amount),
    unit: money.currency,
    digits: digitsOf(currencyOfAmount(money, currencies.row) ?? currencies.store),
    write: (decimal) => replaceAmount(text, decimal),
  };
}

/** Reads a whole number of pieces. Unlike a price, a quantity may have a minus. */
function quantityIn(text: string): Amount | null {
  const [, minus = '', number = ''] = /^\s*(-?)(.*)$/s.exec(text) ?? [];
  const money = parseMoney(number);
  if (money === null || money.currency !== null) return null;
  const value = fractionOf(minus + money.amount);
  return { value, unit: null, digits: 0, write: (decimal) => decimal };
}

/** Digits after the decimal point. They suffice for a gram in kilograms and for an ounce in pounds. */
const weightDigits = 4;

/** The most characters of a cell that is read as a weight. */
const weightCharsMax = 64;

/** Reads a number with or without a unit, such as '2.5 kg'. */
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

/** Returns the digits after the decimal point in a currency: JPY 0, KWD 3. Returns 2 for an unknown currency. */
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
  const [one, other] = [readFieldAmount(field, a ?? ''), readFieldAmount(field, b)];
  if (one === null || other === null) return false;
  return one.unit === other.unit && compareFractions(one.value, other.value) === 0;
}

/** Returns why a number field must not get a text. Null if the text is allowed, or if the field is no number field. */
export function findAmountProblem(field: RowField, text: string): UnchangedReason | null {
  if (!isNumberField(field)) return null;
  const amount = readFieldAmount(field, text);
  if (amount === null) return 'not-allowed';
  const sign = compareFractions(amount.value, zero);
  if (sign < 0 || (sign === 0 && field === 'price')) return 'no-result';
  const isWhole = amount.value.over % amount.value.under === 0n;
  return field === 'quantity' && !isWhole ? 'not-allowed' : null;
}

/** Writes a result in the form of its cell. Null if the result is negative, or 0 in a field other than the quantity. */
export function formatResult(field: NumberField, result: Fraction, like: Amount): string | null {
  const decimal = decimalText(result, like.digits);
  const isPositive = result.over > 0n && /[1-9]/.test(decimal);
  if (field === 'quantity' ? decimal.startsWith('-') : !isPositive) return null;
  return like.write(decimal);
}
