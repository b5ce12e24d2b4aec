import { optionValueFields, type RowValues } from '../base/canonical-fields.ts';
import { cleanText } from '../base/clean-text.ts';
import { findGtin } from '../base/gtin.ts';
import { decodeTwiceEncoded } from '../base/twice-encoded.ts';
import { hashText } from './hash-text.ts';
import { normalizeText } from './plain-value.ts';

/** Longer keys are cut and get a hash at the end, because the entries of a Postgres index are limited. */
const keyCharsMax = 200;

/** Returns a row's key: SKU, item number, GTIN, or handle with options or picture. Ignores case and repeated spaces. */
export function itemKeyOf(values: RowValues): string | null {
  const code = normalizeText(values.sku) || normalizeText(values.itemNumber);
  if (code !== '') return keyOf('s', code);
  const gtin = values.upc === undefined ? undefined : findGtin(values.upc)?.gtin;
  if (gtin !== undefined) return `g:${gtin}`;
  const handle = normalizeText(values.handle);
  if (handle === '') return null;
  const options = optionValueFields.map((field) => normalizeText(values[field]));
  // Shopify exports have a row without title and options for each further picture of a product.
  const isPicture = values.title === undefined && options.every((option) => option === '');
  return keyOf('h', [handle, ...(isPicture ? [normalizeText(values.image)] : options)].join('|'));
}

function keyOf(kind: 's' | 'h', text: string): string {
  const key = `${kind}:${text.toUpperCase()}`;
  return key.length <= keyCharsMax ? key : `${key.slice(0, keyCharsMax)}#${hashText(key).toString(36)}`;
}

/** Cleans a key that an earlier version made from uncleaned cells, such as a code with a fourth decimal. */
export function cleanItemKey(key: string): string {
  if (/^s:\d+\.\d{3}0$/.test(key)) return key.slice(0, -1);
  if (/^s:\d+\.0$/.test(key)) return key.slice(0, -2);
  if (/^[sh]:'[-=+@\d\p{L}]/u.test(key)) return `${key.slice(0, 2)}${key.slice(3)}`;
  const field = key.startsWith('h:') ? 'option1Value' : 'sku';
  const parts = key.slice(2).split('|');
  const cleaned = parts.map((part) => {
    const text = (decodeTwiceEncoded(part) ?? part).replace(/&[A-Z][A-Z0-9]+;/g, (name) =>
      name.toLowerCase(),
    );
    return normalizeText(cleanText(text, field, false)).toUpperCase();
  });
  return key.slice(0, 2) + cleaned.join('|');
}
