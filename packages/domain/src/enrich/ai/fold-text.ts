const letters: Record<string, string> = {
  ...{ ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', đ: 'd', ð: 'd', ı: 'i' },
  ...{ þ: 'th', ħ: 'h', ŋ: 'n', ŧ: 't' },
};
const special = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');

/** Invisible characters: zero-width, bidi controls, soft hyphens, fillers and tags. */
export const invisibleCharacters =
  /\u034f|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu;

const decimalDigit = /^\p{Nd}$/u;
const ownDigit = /(?![0-9])\p{Nd}/gu;

/** Converts a digit of any script to 0 to 9. In Unicode the digits of a script are consecutive, starting with zero. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (decimalDigit.test(String.fromCodePoint(first - 1))) first--;
  return String((code - first) % 10);
}

/** Returns a text in lower case, without accents and compatibility forms, so that its spellings become equal. */
export function foldText(text: string): string {
  return text
    .replace(invisibleCharacters, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(ownDigit, asciiDigit)
    .replace(special, (letter) => letters[letter] ?? letter)
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}

export const wordsOf = (folded: string): string[] =>
  folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');

/** Matches scripts without spaces between words. */
export const unspacedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** The characters of the allowed HTML entities, by name. */
export const allowedEntities = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }),
);
export const allowedEntityPattern = new RegExp(`^&(?:${[...allowedEntities.keys()].join('|')}|#39);`);

/** Returns a description as a browser shows it, with one line per block. */
export function textOfHtml(html: string): string {
  return html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/<\/?(?:p|br|ul|ol|li|div|h[1-6]|td|tr)\b[^<>]*>/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll('&#39;', "'")
    .replace(/&([a-z#0-9]+);/gi, (_, name: string) => allowedEntities.get(name.toLowerCase()) ?? ' ')
    .replace(/[ \t]+/g, ' ')
    .trim();
}
