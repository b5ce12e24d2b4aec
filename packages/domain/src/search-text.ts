import type { RowValues } from './canonical-fields.ts';

/** A search has at least so many letters: an index of three letters in a row finds nothing shorter. */
export const searchCharsMin = 3;
export const searchCharsMax = 200;

/** Of a longer value only its beginning is searched. */
const valueCharsMax = 1000;

/**
 * The form in which texts are searched, of a row and of what is looked for alike: composed, in lower case, every
 * character beyond ASCII as five ASCII letters. So neither the case rules nor the letters that the database's locale
 * knows have a say (in a cluster of locale C, umlauts and Chinese would be in no index), and 'Z' stands nowhere else.
 */
export function searchForm(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(beyondAscii, asLetters);
}

const beyondAscii = /[^\0-\x7f]/g;

function asLetters(unit: string): string {
  const code = unit.charCodeAt(0);
  return `Z${letter(code >> 12)}${letter(code >> 8)}${letter(code >> 4)}${letter(code)}`;
}

const letter = (nibble: number) => 'ABCDEFGHIJKLMNOP'.charAt(nibble & 15);

/**
 * What a row is found by, in searchForm: title, SKU, UPC as written and as its 14 digits, vendor and item number, a
 * line each; '' where it has none of them.
 */
export function searchText(values: RowValues, gtin: string | null): string {
  const { title, sku, upc, vendor, itemNumber } = values;
  const searched = [title, sku, upc, gtin, vendor, itemNumber].flatMap((value) =>
    value ? [value.slice(0, valueCharsMax).replaceAll('\0', '\uFFFD')] : [],
  );
  return searchForm([...new Set(searched)].join('\n'));
}
