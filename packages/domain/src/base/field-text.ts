import type { CanonicalField } from './canonical-fields.ts';

const list = (text: string): CanonicalField[] => text.trim().split(/\s+/) as CanonicalField[];

const codes: ReadonlySet<CanonicalField> = new Set(list('sku itemNumber handle parentSku upc'));
const names: ReadonlySet<CanonicalField> = new Set(list('title vendor type'));
/** Fields in which 'None' and 'False' are values. */
const choices: ReadonlySet<CanonicalField> = new Set(list('quantity trackQuantity continueSelling status'));
/** Fields in which a dash means no value. */
const dashed: ReadonlySet<CanonicalField> = new Set(
  list('sku itemNumber handle parentSku vendor type tags collections description'),
);

/** Texts of cells without a value. */
const nothing: ReadonlySet<string> = new Set([
  ...['nan', 'NaN', 'NAN', 'null', 'NULL', 'Null', '(null)', '[null]', '<NA>', 'NaT', '\\N', 'undefined'],
  ...['(blank)', '(leer)', '(vide)', '(empty)', '(en blanco)', '(vuoto)', 'None', '<null>', '<nil>', 'nil'],
]);
const noValue: ReadonlySet<string> = new Set(['False', 'FALSE', 'false']);
const dashes = '-–—_.…?/*';
const dash = new RegExp(`^(?:[${dashes}]{1,5}|n/a|n\\.a\\.|none|n/d)$`, 'i');
const emptyCharsMax = 12;
/** 1 at each character that may begin a text without a value. Looking up all texts took a third of a row's time. */
const mayBeNothing = new Uint8Array(0x2027);
for (const text of [...nothing, ...noValue, ...dashes, 'n/a', 'N/A']) mayBeNothing[text.charCodeAt(0)] = 1;

/** Whether a text means that there is no value: 'NULL', 'nan' and, in a SKU or a brand, 'n/a' and '-'. */
function isNothing(text: string, field: CanonicalField): boolean {
  if (nothing.has(text)) return !(text === 'None' && choices.has(field));
  if (noValue.has(text)) return !choices.has(field);
  return dashed.has(field) && dash.test(text);
}

const tag = /<(\/?)([a-z][a-z0-9]{0,9})(?:\s[^<>]*)?\/?>/gi;
const inlineTags: ReadonlySet<string> = new Set(
  'b i u s a em strong span font small big sup sub br p div li ul ol h1 h2 h3 h4 h5 h6 tr td img'.split(' '),
);
const breaks: ReadonlySet<string> = new Set('br p div li h1 h2 h3 h4 h5 h6 tr td'.split(' '));

/** Replaces HTML tags in a name. Raw line breaks stay, because they may show that the file lacks a closing quote. */
const withoutTags = (text: string): string =>
  text
    .replace(tag, (whole, _slash: string, name: string) => {
      const known = name.toLowerCase();
      if (!inlineTags.has(known)) return whole;
      return breaks.has(known) ? ' ' : '';
    })
    .replace(/ {2,}/g, ' ')
    .trim();

/** Cleans a trimmed cell: 'NULL' becomes '', names lose HTML, codes lose a leading apostrophe. Runs for every cell. */
export function cleanFieldText(text: string, field: CanonicalField): string {
  if (text === '') return text;
  if (text.length <= emptyCharsMax && mayBeNothing[text.charCodeAt(0)] === 1 && isNothing(text, field)) {
    return '';
  }
  const isGuarded = text.charCodeAt(0) === 0x27 && text.length > 1;
  if (names.has(field)) {
    const unguarded = isGuarded && /^'[-=+@]/.test(text) ? text.slice(1) : text;
    const plain = unguarded.includes('\r') ? unguarded.replace(/\r(?!\n)/g, ' ') : unguarded;
    return plain.includes('<') ? withoutTags(plain) : plain;
  }
  if (isGuarded && codes.has(field) && /^'[-=+@\d\p{L}]/u.test(text)) return text.slice(1);
  if (field === 'description' && text.includes('\\n')) return text.replace(/(?:\\r)?(?<!\\)\\n/g, '\n');
  return text;
}
