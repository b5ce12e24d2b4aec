import type { CanonicalField, RowValues } from '../base/canonical-fields.ts';
import { gtinIn } from '../base/gtin.ts';
import { parseMoney } from '../base/money.ts';
import { readQuantity } from '../base/quantity.ts';
import { type FieldGroup, fieldGroups } from './list.ts';
import { plainValue } from './plain-value.ts';

/** The fields of each group that is compared. */
export const fieldsOfGroup = {
  price: ['price', 'compareAtPrice', 'cost', 'currency'],
  stock: ['quantity', 'trackQuantity', 'continueSelling'],
  text: ['title', 'description', 'vendor', 'type', 'tags', 'collections'],
  codes: ['sku', 'upc', 'itemNumber', 'tcin', 'handle', 'parentSku'],
  options: [
    ...([
      'option1Name',
      'option1Value',
      'option2Name',
      'option2Value',
      'option3Name',
      'option3Value',
    ] as const),
    ...(['weight', 'weightUnit', 'dimensions'] as const),
  ],
  pictures: ['image', 'moreImages'],
  other: ['status', 'origin', 'pointOfSale'],
  letters: ['title'],
} as const satisfies Record<FieldGroup, readonly CanonicalField[]>;

/** Bytes of the hash of one group, and of all groups. */
export const hashBytes = 4;
export const hashesBytes = fieldGroups.length * hashBytes;

/** What of a row is compared with its supplier's earlier list, by its values as the file says them. */
export type ItemFacts = {
  /** The hashes of the groups in the order of `fieldGroups`, four bytes each. */
  hashes: Uint8Array;
  /** The price in ten-thousandths, the quantity, and the GTIN as a number; null for none. */
  price: number | null;
  quantity: number | null;
  gtin: number | null;
};

const quantityMax = 2 ** 31 - 1;

/** The facts of a row. */
export function itemFactsOf(values: RowValues): ItemFacts {
  const hashes = new Uint8Array(hashesBytes);
  const view = new DataView(hashes.buffer);
  for (const [at, group] of fieldGroups.entries()) {
    view.setUint32(
      at * hashBytes,
      group === 'letters' ? lettersHash(values.title) : groupHash(values, group),
    );
  }
  const price = Math.round(Number(parseMoney(values.price ?? '')?.amount ?? Number.NaN) * 10_000);
  const quantity = readQuantity(values.quantity ?? '');
  const gtin = values.upc === undefined ? undefined : gtinIn(values.upc)?.gtin;
  return {
    hashes,
    price: Number.isSafeInteger(price) ? price : null,
    quantity: quantity !== null && quantity >= 0 && quantity <= quantityMax ? quantity : null,
    gtin: gtin === undefined ? null : Number(gtin),
  };
}

function groupHash(values: RowValues, group: FieldGroup): number {
  let hash = fnvStart;
  for (const field of fieldsOfGroup[group]) hash = fnv(fnv(hash, plainValue(values, field)), '\n');
  return hash >>> 0;
}

/** The hash of the ASCII letters and digits of a title, without regard to case; 0 if it has none. */
export function lettersHash(title: string | undefined): number {
  let hash = fnvStart;
  let hasLetters = false;
  for (const char of (title ?? '').toLowerCase()) {
    if (!/[a-z0-9]/.test(char)) continue;
    hasLetters = true;
    hash = fnv(hash, char);
  }
  return hasLetters ? hash >>> 0 : 0;
}

/** FNV-1a with 32 bits over UTF-16 code units, http://www.isthe.com/chongo/tech/comp/fnv/ */
const fnvStart = 0x811c9dc5;
function fnv(hash: number, text: string): number {
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
