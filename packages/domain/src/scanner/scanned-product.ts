import type { RowValues } from '../base/canonical-fields.ts';
import { parseMoney } from '../base/money.ts';
import { measureMax, type Weight } from '../base/weight.ts';

export const lengthUnits = ['in', 'cm'] as const;

/** The sides of a product. A side of 0 was not measured. */
export type Dimensions = {
  length: number;
  width: number;
  height: number;
  unit: (typeof lengthUnits)[number];
};

export const dimensionsDefault: Dimensions = { length: 0, width: 0, height: 0, unit: 'in' };
export const weightDefault: Weight = { value: 0, unit: 'lb' };

/** The sentence for a product without a name, SKU or price. */
export const requiredFieldsSentence = 'Please fill in name, SKU, and price';

/** The store's limit for a name and a SKU, in characters. */
export const nameCharsMax = 255;
export const descriptionCharsMax = 100_000;
/** A product may have photos from the camera and from several upload dialogs, which take 5 photos each. */
export const photosMax = 20;

/** The fields from which a scanned product's draft is built. */
export type ScannedFields = {
  name: string;
  description: string;
  price: string;
  sku: string;
  upc: string | null;
  dimensions: Dimensions;
  weight: Weight;
  photos: readonly string[];
};

/** Returns a price with at least two decimals: '$24,90' becomes '24.90'. Null if empty, negative or not an amount. */
export function normalizePrice(price: string | number): string | null {
  const amount = parseMoney(String(price))?.amount;
  if (amount === undefined) return null;
  const [whole = '0', decimals = ''] = amount.split('.');
  return `${whole}.${decimals.padEnd(2, '0')}`;
}

/** Digits with separators, without a currency sign. */
const written = /^[\d.,'’\s]+$/;

/** Reads a side or weight like a price: '1,299' is 1299, empty is 0. Null if negative, too large or not a number. */
export function parseMeasure(value: string | number | null | undefined): number | null {
  const given = typeof value === 'string' ? value.trim() : value;
  if (given === '' || given === null || given === undefined) return 0;
  const number = typeof given === 'number' ? given : writtenNumber(given);
  return number >= 0 && number <= measureMax ? number : null;
}

const writtenNumber = (text: string) =>
  written.test(text) ? Number(parseMoney(text)?.amount ?? Number.NaN) : Number.NaN;

/** Returns length × width × height as text, such as '10×5×3 in', or null if no side is known. */
export function formatDimensions({ length, width, height, unit }: Dimensions): string | null {
  const sides = [length, width, height];
  return sides.some((side) => side > 0) ? `${sides.join('×')} ${unit}` : null;
}

/** Returns the row values of a scanned product, from which both an import's push and a sync build the draft. */
export function toScannedValues(product: ScannedFields): RowValues {
  const { name, description, price, sku, upc, dimensions, weight, photos } = product;
  const measured = formatDimensions(dimensions);
  const [image, ...moreImages] = photos;
  return {
    title: name,
    price,
    sku,
    ...(description.trim() === '' ? {} : { description: description.trim() }),
    ...(upc ? { upc } : {}),
    ...(measured === null ? {} : { dimensions: measured }),
    ...(weight.value > 0 ? { weight: String(weight.value), weightUnit: weight.unit } : {}),
    ...(image ? { image } : {}),
    ...(moreImages.length > 0 ? { moreImages: moreImages.join('\n') } : {}),
  };
}
