import type { RowValues } from '../base/canonical-fields.ts';
import { gtinIn } from '../base/gtin.ts';
import { optionFields } from '../products/variant-options.ts';
import { plainText } from './plain-value.ts';

/** A key is cut here: an index entry of Postgres has no room for more. */
const keyCharsMax = 200;

/**
 * What identifies a row within its supplier's lists, by its values as the file says them: its SKU or item number, else
 * its GTIN, else its handle with its option values; null if it has none. Case, outer and repeated space do not count,
 * zeros and punctuation do.
 */
export function itemKeyOf(values: RowValues): string | null {
  const code = plainText(values.sku || values.itemNumber);
  if (code !== '') return keyOf('s', code);
  const gtin = values.upc === undefined ? undefined : gtinIn(values.upc)?.gtin;
  if (gtin !== undefined) return `g:${gtin}`;
  const handle = plainText(values.handle);
  if (handle === '') return null;
  const options = optionFields.map(({ value }) => plainText(values[value]));
  return keyOf('h', [handle, ...options].join('|'));
}

const keyOf = (kind: 's' | 'h', text: string): string =>
  `${kind}:${text.toUpperCase()}`.slice(0, keyCharsMax);
