export type CellKind = 'empty' | 'number' | 'date' | 'link' | 'flag' | 'code' | 'text';

const currency = '[$€£¥₹₽]|[A-Z]{3}|zł|kr|Kč|Ft';
const number = new RegExp(
  `^[-+(]?(?:${currency})?\\s?[-+]?[.,]?\\d[\\d.,'’ \u00a0]*\\s?(?:${currency}|%)?[-)]?$`,
);
const date =
  /^(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}(?:[T ]\d{1,2}:\d{2}.*)?|\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/;
const link = /^(?:[a-z]+:\/\/|www\.)\S+$|^[^\s@]+@[^\s@]+\.[a-z]+$/i;
const flag = /^(?:true|false|yes|no|ja|nein|y|n|null|n\/a|oui|non|si|sí)$/i;
const code = /^(?=.*\d)[\p{L}\d._/#+-]+$/u;

/** Returns the kind of a cell. A text of more than 200 characters is always `text`. */
export function cellKind(cell: string): CellKind {
  const text = cell.trim();
  if (text === '') return 'empty';
  if (text.length > 200) return 'text';
  // Dates are tested first, because '01.05.2024' also matches the number pattern.
  if (date.test(text)) return 'date';
  if (number.test(text)) return 'number';
  if (flag.test(text)) return 'flag';
  if (link.test(text)) return 'link';
  return code.test(text) ? 'code' : 'text';
}

/** Scores, from 0 to 1, how likely a text is one whole cell, and not a piece of a cell or several joined cells. */
export function scorePlausibility(cell: string, delimiter: string): number {
  if (cell === '') return 0.9;
  if (cell.includes('\t')) return 0.2;
  const kind = cellKind(cell);
  if (kind !== 'text') return kind === 'code' ? 0.95 : 1;
  if (delimiter !== ' ' && (cell.startsWith(' ') || cell.endsWith(' '))) return 0.6;
  if (/<\/?[a-z]|&[a-z]+;|[{}]/i.test(cell)) return 0.9;
  // A separator without a space after it suggests that the text is several cells.
  const glued = cell.match(/[^\s,;|^~](?:[;|^~]|,(?!\d))(?=[^\s])/g)?.length ?? 0;
  return glued === 0 ? 0.95 : glued === 1 ? 0.5 : 0.2;
}
