import type { RowValues } from './canonical-fields.ts';

/** Minimum length of a search. Shorter texts occur in nearly every row. */
export const searchCharsMin = 3;
export const searchCharsMax = 200;

/** Only the beginning of a longer value is searched. */
const valueCharsMax = 1000;

/**
 * Returns the form in which row texts and search terms are compared: NFC in lower case, with each non-ASCII UTF-16
 * unit replaced by 'Z' and four letters. An upper-case 'Z' occurs only in such replacements. Each character is then
 * one byte, and results do not depend on the database's locale.
 */
export function toSearchForm(text: string): string {
  if (!hasNonAscii.test(text)) return text.toLowerCase();
  return text.normalize('NFC').toLowerCase().replace(nonAscii, asLetters);
}

const nonAscii = /[^\0-\x7f]/g;
const hasNonAscii = /[^\0-\x7f]/;

/** Cached letters by UTF-16 unit. Texts have few different units, and at most 65,408 units are not ASCII. */
const lettersBefore: string[] = [];

function asLetters(unit: string): string {
  const code = unit.charCodeAt(0);
  lettersBefore[code] ??= `Z${letter(code >> 12)}${letter(code >> 8)}${letter(code >> 4)}${letter(code)}`;
  return lettersBefore[code];
}

const letter = (nibble: number) => 'ABCDEFGHIJKLMNOP'.charAt(nibble & 15);

/** Replaces NUL, which Postgres cannot store. Testing for NUL first is faster. */
const storable = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text);

export const toSearchTerm = (text: string): string => toSearchForm(storable(text));

/**
 * Returns the text by which a row is searched, in `toSearchForm`, one value per line: title, SKU, GTIN with 14 digits,
 * the UPC as written unless the GTIN contains it, vendor and item number. '' if the row has none of these values.
 */
export function toSearchText(values: RowValues, gtin: string | null): string {
  const { title, sku, upc, vendor, itemNumber } = values;
  const written = upc !== undefined && gtin?.includes(upc) ? undefined : upc;
  const searched = [title, sku, gtin, written, vendor, itemNumber];
  let text = '';
  for (let at = 0; at < searched.length; at += 1) {
    const value = searched[at];
    if (!value || searched.indexOf(value) < at) continue;
    const start = value.length > valueCharsMax ? value.slice(0, valueCharsMax) : value;
    text += text === '' ? start : `\n${start}`;
  }
  return toSearchForm(storable(text));
}
