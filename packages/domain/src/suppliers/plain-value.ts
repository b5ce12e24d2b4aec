import type { CanonicalField, RowValues } from '../base/canonical-fields.ts';
import { gtinIn } from '../base/gtin.ts';
import { currencyOfAmount, parseMoney } from '../base/money.ts';
import { readQuantity } from '../base/quantity.ts';
import { listOf } from '../base/text-list.ts';
import { type WeightUnit, weightOf } from '../base/weight.ts';
import { picturesOf } from '../products/images.ts';

/** A text without what encodings and programs change: NFC, one space for runs of white space, none at its ends. */
export const plainText = (text: string | undefined): string =>
  text === undefined ? '' : text.normalize('NFC').replace(/\s+/g, ' ').trim();

const gramsPer: Record<WeightUnit, number> = { g: 1, kg: 1000, oz: 28.349523125, lb: 453.59237 };

/**
 * The value of a field in the form in which two lists are compared: notations that mean the same are the same text.
 * '' for a field without a value.
 */
export function plainValue(values: RowValues, field: CanonicalField): string {
  const text = values[field];
  if (text === undefined) return '';
  const read = readers[field];
  return read?.(text, values) ?? plainText(text);
}

/** Null: the cell is none of these, so its text is compared. */
const readers: Partial<Record<CanonicalField, (text: string, values: RowValues) => string | null>> = {
  price: moneyText,
  compareAtPrice: moneyText,
  cost: moneyText,
  quantity: (text) => readQuantity(text)?.toString() ?? null,
  upc: (text) => gtinIn(text)?.gtin ?? null,
  tags: (text) => listOf(text).map(plainText).sort().join('\n'),
  collections: (text) => listOf(text).map(plainText).sort().join('\n'),
  weight(_text, values) {
    const weight = weightOf(values);
    return weight && `${Number((weight.value * gramsPer[weight.unit]).toFixed(2))} g`;
  },
  // The weight has its unit.
  weightUnit: (_text, values) => (weightOf(values) ? '' : null),
  // An amount has its currency.
  currency: (_text, values) => (parseMoney(values.price ?? '') ? '' : null),
  image: (text) =>
    picturesOf({ image: text })
      .map(({ src }) => src)
      .join('\n') || null,
  moreImages: (text) =>
    picturesOf({ moreImages: text })
      .map(({ src }) => src)
      .join('\n') || null,
};

function moneyText(text: string, { currency }: RowValues): string | null {
  const money = parseMoney(text);
  if (money === null) return null;
  const code = currencyOfAmount(money, currency);
  return code === null ? shortDecimal(money.amount) : `${shortDecimal(money.amount)} ${code}`;
}

/** Decimal text without zeros in front and at the end: '12.50' is '12.5'. */
function shortDecimal(amount: string): string {
  const whole = amount.replace(/^0+(?=\d)/, '');
  return whole.includes('.') ? whole.replace(/\.?0+$/, '') : whole;
}
