import {
  type CanonicalField,
  canonicalFields,
  optionFields,
  type RowValues,
} from '../base/canonical-fields.ts';
import { isMetafieldField } from '../base/metafields.ts';
import { readQuantity } from '../base/quantity.ts';
import { simpleNames } from '../base/simple-fields.ts';
import { hashLetters, hashText } from './hash-text.ts';
import { itemKeyOf } from './item-key.ts';
import { type FieldGroup, fieldGroups } from './list.ts';
import { type PlainReader, plainReaders, plainText } from './plain-value.ts';

export const fieldsOfGroup: Record<FieldGroup, readonly CanonicalField[]> = {
  price: ['price', 'compareAtPrice', 'cost', 'currency'],
  stock: ['quantity', 'trackQuantity', 'continueSelling'],
  text: [
    ...(['title', 'description', 'vendor', 'type', 'tags', 'collections'] as const),
    ...simpleNames(({ isText }) => isText === true),
  ],
  codes: ['sku', 'upc', 'itemNumber', 'tcin', 'handle', 'parentSku'],
  options: [
    ...optionFields.flatMap(({ name, value }) => [name, value]),
    ...(['weight', 'weightUnit', 'dimensions'] as const),
  ],
  pictures: ['image', 'moreImages'],
  other: [
    ...(['status', 'origin', 'pointOfSale', 'category'] as const),
    ...simpleNames(({ isText }) => isText !== true),
  ],
  letters: ['title'],
};

export const hashBytes = 4;

/** A row's values for the comparison with its supplier's earlier list, as the file has them. */
export type Item = {
  key: string;
  /** In the order of `fieldGroups`, as signed numbers of four bytes. */
  hashes: readonly number[];
  /** In ten-thousandths. */
  price: number | null;
  quantity: number | null;
  gtin: number | null;
};

const lettersAt = fieldGroups.indexOf('letters');

/** Position of each field's group hash, seed of its values' hashes, and their reader. */
const byField = new Map<string, { at: number; seed: number; read: PlainReader | undefined }>(
  canonicalFields.map((field) => {
    const at = fieldGroups.findIndex((group) => fieldsOfGroup[group].includes(field));
    return [field, { at, seed: hashText(field), read: plainReaders[field] }];
  }),
);

const otherAt = fieldGroups.indexOf('other');

/** Metafields are of the group of other fields. */
function hashedField(name: string) {
  const known = byField.get(name);
  if (known !== undefined || !isMetafieldField(name)) return known;
  const field = { at: otherAt, seed: hashText(name), read: undefined };
  byField.set(name, field);
  return field;
}

const pricePartsPerUnit = 10_000;

/** Returns a price of an item as text with at least two decimals. */
export const itemPriceText = (price: number | null): string | null =>
  price === null ? null : (price / pricePartsPerUnit).toFixed(4).replace(/0{1,2}$/, '');
const quantityMax = 2 ** 31 - 1;

/**
 * Returns a row's item; null if nothing identifies it. `price`, decimal, and `gtin`, 14 digits, are validated values. A
 * group's hash is the sum of its values' hashes, so that fields without a value cost nothing.
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
  // for…in: the only loop over an object that allocates nothing per row.
  for (const name in values) {
    const field = hashedField(name);
    const text = values[name as CanonicalField];
    if (field === undefined || text === undefined) continue;
    const plain = field.read?.(text, values) ?? plainText(text);
    hashes[field.at] = ((hashes[field.at] ?? 0) + hashText(plain, field.seed)) | 0;
  }
  hashes[lettersAt] = hashLetters(values.title ?? '') | 0;
  return hashes;
}
