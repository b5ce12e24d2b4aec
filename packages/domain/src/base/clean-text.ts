import { type CanonicalField, optionFields } from './canonical-fields.ts';
import { trimEnds } from './cut-text.ts';
import { decodeTwiceEncoded } from './twice-encoded.ts';

/**
 * Matches texts that may need cleaning. Most cells do not match. The letters 'Â' to 'â' may begin twice-encoded text.
 * One character class is twice as fast as two alternatives. An '&' matches only before a letter or '#'.
 */
const mayBeDirty =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /[\0-\x08\v\f\x0e-\x1f&\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffbÂ-ÅÎÏÐÑâ](?<!&(?![#A-Za-z]))|<!\[CDATA\[|_x000[0-9A-D]_/;

/** Whether a text certainly needs no cleaning. Runs for every cell. */
export const isClean = (text: string): boolean => !mayBeDirty.test(text);

/** Fields whose entities are decoded. A description keeps its entities as HTML, and codes have no entities. */
const decodedFields: ReadonlySet<CanonicalField> = new Set<CanonicalField>([
  ...(['title', 'vendor', 'type', 'tags', 'collections'] as const),
  ...optionFields.flatMap(({ name, value }) => [name, value]),
]);

/** Removes control and zero-width characters. Decodes entities except in HTML. `isTwice`: `text` was encoded twice. */
export function cleanText(text: string, field: CanonicalField | null, isTwice: boolean): string {
  if (isClean(text)) return text;
  const once = isTwice ? (decodeTwiceEncoded(text) ?? text) : text;
  const inside = once.includes(cdata) ? once.replaceAll(cdata, '').replaceAll(']]>', '') : once;
  const plain = withoutInvisible(inside.replace(escapedByExcel, ''));
  const shown = field === 'description' ? plain : plain.replaceAll('\u00ad', '');
  const isEncoded = field === 'description' && encodedTag.test(shown) && !/<[a-z/]/i.test(shown);
  return (isEncoded || (field !== null && decodedFields.has(field)) ? decodeEntities(shown) : shown).trim();
}

/** Matches the first tag of a description whose HTML is encoded as entities, as in exports of OpenCart. */
const encodedTag = /^\s*&lt;(?:p|div|span|ul|ol|table|section|h[1-6]|strong|b|em|br)\b/i;

const cdata = '<![CDATA[';
/** Excel's escapes of control characters in the XML of workbooks, such as '_x000D_' for a carriage return. */
const escapedByExcel = /_x000[0-9A-D]_/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed.
const control = /[\x01-\x08\x0e-\x1f\x7f-\x9f\u180e\u200b\u2060-\u2064\ufeff\ufff9-\ufffb]/g;
/** Joiners without effect: at edges of words, and in Latin, Cyrillic or Greek. Other scripts and emoji need joiners. */
const joined =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{Extended_Pictographic}])|(?<=[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}])[\u200c\u200d]/gu;
/** Direction marks, which have no use in a text whose letters all run from left to right. */
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

const mayBeInvisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /[\x01-\x08\v\f\x0e-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/;
const mayBeMark = /[\u061c\u200c-\u200f\u202a-\u202e\u2066-\u2069]/;

function withoutInvisible(text: string): string {
  // Most texts return at one of these two checks, before the slower steps below.
  if (!mayBeInvisible.test(text)) return text;
  // FileMaker and other programs write line breaks within a cell as vertical tabs.
  const shown = text.replace(/[\v\f]/g, '\n').replace(control, '');
  if (!mayBeMark.test(shown)) return shown;
  const plain = shown.replace(joined, '');
  // Direction marks at the ends of a text have no effect.
  return rightToLeft.test(plain) ? trimEnds(plain.trim(), isMark) : plain.replace(direction, '');
}

const isMark = (char: string): boolean =>
  char === '\u061c' || char === '\u200e' || char === '\u200f' || isEmbedding(char);
const isEmbedding = (char: string): boolean => char >= '\u202a' && char <= '\u202e';

/** The named entities of Latin-1, from U+00A0 on. */
export const latin1Entities =
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro
  para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil
  Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
  Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml
  igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute
  thorn yuml`.split(/\s+/);
const others: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", ndash: '–', mdash: '—', hellip: '…', bull: '•' },
  ...{ lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„', lsaquo: '‹', rsaquo: '›' },
  ...{ euro: '€', trade: '™', OElig: 'Œ', oelig: 'œ', Scaron: 'Š', scaron: 'š', Yuml: 'Ÿ', permil: '‰' },
  ...{ dagger: '†', Dagger: '‡', prime: '′', Prime: '″', minus: '−', ensp: ' ', emsp: ' ', thinsp: ' ' },
};
const named = new Map([
  ...latin1Entities.map((name, at): [string, string] => [name, String.fromCharCode(0xa0 + at)]),
  ...Object.entries(others),
  ['nbsp', ' '],
]);
const entity = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,7}));/gi;

/** The start of an entity whose '&' was encoded again: '&amp;eacute;'. */
const encodedAgain = /&amp;(?=(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,7});)/gi;

/** Decodes HTML entities, including entities that were encoded twice. Unknown entities stay unchanged. */
function decodeEntities(text: string): string {
  return text
    .replace(encodedAgain, '&')
    .replace(entity, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named.get(name) ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      if (code === 0xa0) return ' ';
      const isCharacter = code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : whole;
    });
}
