import type { CanonicalField, RowValues } from '../base/canonical-fields.ts';
import { choiceReaders, untrackedIfNew } from '../base/field-choices.ts';
import { findGtin } from '../base/gtin.ts';
import { currencyOfAmount, parseMoney } from '../base/money.ts';
import { readQuantity } from '../base/quantity.ts';
import { splitEntries } from '../base/text-list.ts';
import { gramsPerUnit, weightOf } from '../base/weight.ts';
import { picturesOf } from '../products/images.ts';

/** Matches nearly all texts: ASCII with single spaces. This is tested first, because normalizing is slow. */
const usualText = /^[!-~]+(?: [!-~]+)*$/;

/** Normalizes a text to NFC, with single spaces and without spaces at its ends. */
export function normalizeText(text: string | undefined): string {
  if (text === undefined) return '';
  if (usualText.test(text)) return text;
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** Number of significant digits of compared weights in grams, so that '1,5 kg', '52.91 oz' and '3.307 lb' are equal. */
const weightDigits = 4;

/** Returns a value in a form for comparing lists, in which equivalent notations are equal. '' if there is no value. */
export function normalizeValue(values: RowValues, field: CanonicalField): string {
  const text = values[field];
  return text === undefined ? '' : (valueNormalizers[field]?.(text, values) ?? normalizeText(text));
}

/** Reads a cell into a comparable form. Returns null if the cell's text must be compared instead. */
export type ValueNormalizer = (text: string, values: RowValues) => string | null;

export const valueNormalizers: Partial<Record<CanonicalField, ValueNormalizer>> = {
  price: moneyText,
  compareAtPrice: moneyText,
  cost: moneyText,
  quantity: (text) => readQuantity(text)?.toString() ?? null,
  trackQuantity: (text) => (text === untrackedIfNew ? '' : choiceReaders.trackQuantity(text)),
  continueSelling: choiceReaders.continueSelling,
  status: choiceReaders.status,
  upc: (text) => findGtin(text)?.gtin ?? null,
  tags: listText,
  collections: listText,
  weight: (_text, values) => weightText(values),
  // The value of `weight` includes the unit, so the unit is not compared on its own.
  weightUnit: (_text, values) => (weightOf(values) ? '' : null),
  // The value of `price` includes the currency, so the currency is not compared on its own.
  currency: (_text, values) => (parseMoney(values.price ?? '') ? '' : null),
  image: addressesText,
  moreImages: addressesText,
};

function moneyText(text: string, { currency }: RowValues): string | null {
  const money = parseMoney(text);
  if (money === null) return null;
  const code = currencyOfAmount(money, currency);
  return code === null ? shortDecimal(money.amount) : `${shortDecimal(money.amount)} ${code}`;
}

function shortDecimal(amount: string): string {
  let from = 0;
  let to = amount.length;
  if (amount.includes('.')) {
    while (amount.charAt(to - 1) === '0') to -= 1;
    if (amount.charAt(to - 1) === '.') to -= 1;
  }
  while (from < to && amount.charAt(from) === '0') from += 1;
  const short = amount.slice(from, to);
  return short === '' || short.startsWith('.') ? `0${short}` : short;
}

/** Matches a cell with a single entry or address: ASCII without spaces and separators. Tested first, for speed. */
const oneEntry = /^[!-+\--:<-{}~]*$/;

/** Returns the sorted entries, so that their order does not count. */
function listText(text: string): string | null {
  return oneEntry.test(text) ? null : splitEntries(text).map(normalizeText).sort().join('\n');
}

function weightText(values: RowValues): string | null {
  const weight = weightOf(values);
  if (weight === null) return null;
  const grams = weight.value * gramsPerUnit[weight.unit];
  // The grams are rounded to 12 digits first, because 1.0005 kg are 1000.4999999999999 g.
  return `${Number(Number(grams.toPrecision(12)).toPrecision(weightDigits))} g`;
}

function addressesText(text: string): string | null {
  if (oneEntry.test(text)) return null;
  const addresses = picturesOf({ image: text }).map(({ src }) => src.normalize('NFC'));
  return addresses.length === 0 ? null : addresses.join('\n');
}
