const letters: Record<string, string> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', đ: 'd', ð: 'd', ı: 'i' };
const special = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');

/** Characters that nobody sees: zero-width, bidi controls, soft hyphens, fillers and tags. */
export const invisible =
  /\u034f|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu;

/** The zeros of scripts with own digits: Arabic (two), Devanagari, Bengali and Thai. NFKD folds wide ones. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50];
const ownDigit = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59]/g;

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = zeros.findLast((one) => one <= code) ?? code;
  return String(code - zero);
}

/** Lower case without accents and compatibility forms, so that spellings of the same text are equal. */
export function foldText(text: string): string {
  return text
    .replace(invisible, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(ownDigit, asciiDigit)
    .replace(special, (letter) => letters[letter] ?? letter)
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}

/** The words of a folded text. */
export const wordsOf = (folded: string): string[] =>
  folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');

/** Scripts without spaces between words. */
export const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&nbsp;': ' ',
};
export const allowedEntity = new RegExp(`^(?:${Object.keys(entities).join('|')})`);

/** The text that a browser shows of a description: one line for each block. */
export function textOfHtml(html: string): string {
  return html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/<\/?(?:p|br|ul|ol|li|div|h[1-6]|td|tr)\b[^<>]*>/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/&[a-z#0-9]+;/gi, (entity) => entities[entity.toLowerCase()] ?? ' ')
    .replace(/[ \t]+/g, ' ')
    .trim();
}
