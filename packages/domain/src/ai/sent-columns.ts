import { sentText } from './sent-text.ts';

const columnsMax = 10;
const nameCharsMax = 60;
const valueCharsMax = 200;

/**
 * Names of columns that are never sent: money, stock, codes, addresses of pictures and pages, people, and the
 * supplier's own business.
 */
const withheldNames =
  /price|cost|retail|msrp|amount|margin|discount|currency|tax|stock|qty|quant|inventor|\bsku\b|\bupc\b|\bean\b|\bgtin\b|\bisbn\b|\basin\b|barcode|\bcode\b|\bid\b|number|\bno\b|image|picture|photo|\burl\b|link|file|path|handle|mail|phone|fax|\btel\b|address|street|\bzip\b|postal|contact|customer|person|\bname\b|owner|buyer|supplier|vendor|warehouse|location|lot\b|pallet|order|preis|kosten|menge|bestand|prix|stock|precio|telefon|adresse/i;

/** Values that are never sent, whatever their column: addresses of people and pages, money, and codes. */
const withheldValues = [
  /[\w.+-]+@[\w-]+\.\w/,
  /\b(?:https?:\/\/|www\.)/i,
  /\+?\d[\d\s()./-]{7,}\d/,
  /[$€£¥₹]\s?\d|\d\s?(?:[$€£¥₹]|usd|eur|gbp)\b/i,
  /^[\d.,\s%-]+$/,
];

export type Column = { name: string; values: readonly string[] };

/**
 * The columns of a file that may be sent, out of those that are mapped to no field: at most ten, without any that
 * looks in its sample as if it had addresses, money, codes or people.
 */
export function sentColumns(columns: readonly Column[]): string[] {
  const fit = columns.filter(({ name, values }) => {
    const used = values.filter((value) => value.trim() !== '');
    const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
    return used.length > 0 && !withheldNames.test(words) && !used.some(isWithheld);
  });
  return fit.slice(0, columnsMax).map(({ name }) => name);
}

const isWithheld = (value: string) => withheldValues.some((pattern) => pattern.test(value));

/** A column of a product as it is sent; null: it has no value that may be sent. */
export function sentColumn(name: string, value: string): { name: string; value: string } | null {
  const sent = { name: sentText(name, nameCharsMax), value: sentText(value, valueCharsMax) };
  return sent.value === '' || sent.name === '' || isWithheld(value) ? null : sent;
}
