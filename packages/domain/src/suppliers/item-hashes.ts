import {
  type CanonicalField,
  canonicalFields,
  optionFields,
  type RowValues,
} from '../base/canonical-fields.ts';
import { isMetafieldField } from '../base/metafields.ts';
import { readQuantity } from '../base/quantity.ts';
import { listSimpleFields } from '../base/simple-fields.ts';
import { hashLetters, hashText } from './hash-text.ts';
import { itemKeyOf } from './item-key.ts';
import { type FieldGroup, fieldGroups } from './list.ts';
import { normalizeText, type ValueNormalizer, valueNormalizers } from './plain-value.ts';

export const fieldsByGroup: Record<FieldGroup, readonly CanonicalField[]> = {
  price: ['price', 'compareAtPrice', 'cost', 'currency'],
  stock: ['quantity', 'trackQuantity', 'continueSelling'],
  text: [
    ...(['title', 'description', 'vendor', 'type', 'tags', 'collections'] as const),
    ...listSimpleFields(({ isText }) => isText === true),
  ],
  codes: ['sku', 'upc', 'itemNumber', 'tcin', 'handle', 'parentSku'],
  options: [
    ...optionFields.flatMap(({ name, value }) => [name, value]),
    ...(['weight', 'weightUnit', 'dimensions'] as const),
  ],
  pictures: ['image', 'moreImages'],
  other: [
    ...(['status', 'origin', 'pointOfSale', 'category'] as const),
    ...listSimpleFields(({ isText }) => isText !== true),
  ],
  letters: ['title'],
};

export const bytesPerHash = 4;

/** A row's values, as in the file, that are compared with the supplier's earlier list. */
export type Item = {
  key: string;
  /** Hashes in the order of `fieldGroups`, as signed numbers of four bytes. */
  hashes: readonly number[];
  /** The price in ten-thousandths, or null. */
  price: number | null;
  quantity: number | null;
  gtin: number | null;
};

const lettersAt = fieldGroups.indexOf('letters');

/** By field: the index of its group, the seed for hashes of its values, and the normalizer of its values. */
const byField = new Map<string, { at: number; seed: number; read: ValueNormalizer | undefined }>(
  canonicalFields.map((field) => {
    const at = fieldGroups.findIndex((group) => fieldsByGroup[group].includes(field));
    return [field, { at, seed: hashText(field), read: valueNormalizers[field] }];
  }),
);

const otherAt = fieldGroups.indexOf('other');

/** Returns how a field is hashed. Metafields belong to the group `other`. Undefined if the field is not compared. */
function hashedField(name: string) {
  const known = byField.get(name);
  if (known !== undefined || !isMetafieldField(name)) return known;
  const field = { at: otherAt, seed: hashText(name), read: undefined };
  byField.set(name, field);
  return field;
}

const pricePartsPerUnit = 10_000;

/** Returns an item's price as text with at least two decimals. */
export const itemPriceText = (price: number | null): string | null =>
  price === null ? null : (price / pricePartsPerUnit).toFixed(4).replace(/0{1,2}$/, '');
const quantityMax = 2 ** 31 - 1;

/**
 * Returns a row's item, or null if nothing identifies the row. `price` is a validated decimal and `gtin` a validated
 * GTIN of 14 digits. A group's hash is the sum of its values' hashes, so that fields without a value cost nothing.
 */
export function itemOf(
  values: RowValues,
  { price, gtin }: { price: string | null; gtin: string | null },
): Item | null {
  const key = itemKeyOf(values);
  if (key === null) return null;
  const parts = price === null ? null : Math.round(Number(price) * pricePartsPerUnit);
  const quantity = values.quantity === undefined ? null : readQuantity(values.quantity);
  return {
    key,
    hashes: hashesOf(values),
    price: parts !== null && Number.isSafeInteger(parts) ? parts : null,
    quantity: quantity !== null && quantity >= 0 && quantity <= quantityMax ? quantity : null,
    gtin: gtin === null ? null : Number(gtin),
  };
}

const noHashes = fieldGroups.map(() => 0);

function hashesOf(values: RowValues): number[] {
  const hashes = noHashes.slice();
  // for…in is the only loop over an object that allocates no memory per row.
  for (const name in values) {
    const field = hashedField(name);
    const text = values[name as CanonicalField];
    if (field === undefined || text === undefined) continue;
    const plain = field.read?.(text, values) ?? normalizeText(text);
    hashes[field.at] = ((hashes[field.at] ?? 0) + hashText(plain, field.seed)) | 0;
  }
  hashes[lettersAt] = hashLetters(values.title ?? '') | 0;
  return hashes;
}
