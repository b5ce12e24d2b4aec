import type { RowValues } from './canonical-fields.ts';

/** Minimum length of a search, because the trigram index finds nothing shorter. */
export const searchCharsMin = 3;
export const searchCharsMax = 200;

/** Only the beginning of a longer value is searched. */
const valueCharsMax = 1000;

/**
 * The form of row texts and search terms in which they are compared: composed, lower case, every non-ASCII unit as 'Z'
 * and four ASCII letters ('Z' occurs nowhere else). The result does not depend on the database's locale: in locale C,
 * umlauts and Chinese characters would not be indexed.
 */
export function searchForm(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(nonAscii, asLetters);
}

const nonAscii = /[^\0-\x7f]/g;

function asLetters(unit: string): string {
  const code = unit.charCodeAt(0);
  return `Z${letter(code >> 12)}${letter(code >> 8)}${letter(code >> 4)}${letter(code)}`;
}

const letter = (nibble: number) => 'ABCDEFGHIJKLMNOP'.charAt(nibble & 15);

/**
 * The searchable text of a row, in searchForm: title, SKU, UPC as written and as 14 digits, vendor and item number, one
 * per line; '' if it has none of them.
 */
export function searchText(values: RowValues, gtin: string | null): string {
  const { title, sku, upc, vendor, itemNumber } = values;
  const searched = [title, sku, upc, gtin, vendor, itemNumber].flatMap((value) =>
    value ? [value.slice(0, valueCharsMax).replaceAll('\0', '\uFFFD')] : [],
  );
  return searchForm([...new Set(searched)].join('\n'));
}
