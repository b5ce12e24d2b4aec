import { csvOf } from './fixture.ts';

const emoji = '🏺';

/**
 * Texts that break readers, databases, screens, stores or spreadsheets that are not careful, by what they are. Half
 * characters reach a file only as bytes, which `hostileFiles` adds.
 */
export const hostileTexts: Readonly<Record<string, string>> = {
  'NUL inside': 'a\0b',
  'NUL padding': 'padded\0\0\0',
  'NUL only': '\0',
  controls: `c${Array.from({ length: 31 }, (_, at) => String.fromCharCode(at + 1))
    .filter((char) => !'\r\n'.includes(char))
    .join('')}\u007f\u0085d`,
  'lines and separators': 'one\r\ntwo\rthree\nfour\u2028five\u2029six',
  'right to left': '\u202eevil\u202c مصباح \u2066x\u2069 \u200f',
  'no width': 'a\u200b\u200d\ufeffb\ufff9c\uffff',
  combining: `z${'\u0335\u0300'.repeat(500)}`,
  'emoji family': '👨‍👩‍👧‍👦🏳️‍🌈🇨🇦',
  CDATA: '<![CDATA[><img src=x onerror=alert(1)>]]>',
  'tag left open': 'text <img src=x onerror=alert(1)//',
  script: '"><script>alert(1)</script><svg/onload=alert(2)>',
  'formula =': '=HYPERLINK("http://evil.example","click")',
  'formula +': "+1+cmd|' /C calc'!A0",
  'formula -': '-2+3',
  'formula @': '@SUM(1+1)*cmd',
  'formula tab': '\t=1+1',
  JSON: '{"a":["\\u0000","\\ud83d"],"__proto__":{"x":1}}',
  'escapes as text': '\\u0000 \\ud83d \\x00 \\N \\.',
  SQL: `'; drop table imports; -- " $1 %_\\ {} {1,2} NULL`,
  template: '#{7*7}$(7*7)`7*7`{{7*7}}<%= 7*7 %>%s%n%00',
  prototype: '__proto__',
  'name of a method': 'constructor',
  'name of another': 'toString',
  path: '../../../../etc/passwd\\..\\CON',
  address: 'javascript:alert(1)//http://127.0.0.1:1/?\0',
  number: '1e400',
};

/** Emoji at each place where something may cut a text: short ones, names of screens and what Postgres indexes. */
export const emojiCuts = [39, 40, 59, 60, 79, 80, 99, 100, 119, 120, 199, 200, 254, 255, 499, 500, 999, 1000];

type HostileFile = { name: string; bytes: Uint8Array<ArrayBuffer> };

const columns = ['Title', 'Price', 'SKU', 'UPC', 'Vendor', 'Description', 'Tags', 'Type', 'Image', 'Handle'];

/** A product that is in order but for one field. */
function productWith(field: string, text: string, at: string): string[] {
  const plain: Record<string, string> = { Title: `Bowl ${at}`, Price: '5.50', SKU: `K-${at}` };
  return columns.map((column) => (column === field ? text : (plain[column] ?? '')));
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text));

/** A file per kind of attack. Every product has a SKU of its own, so that all of them can be pushed. */
export function hostileFiles(): HostileFile[] {
  const texts = Object.entries(hostileTexts);
  const each = columns.flatMap((field) =>
    texts.map(([name, text]) => productWith(field, text, `${name} ${field}`)),
  );
  const cuts = emojiCuts.map((at) =>
    columns.map((column) => (column === 'Price' ? '5' : `${'x'.repeat(at)}${emoji} ${column} ${at}`)),
  );
  const sentence = `${'x'.repeat(39)}${emoji} of clay`;
  const alike = Array.from({ length: 60 }, (_, at) => productWith('Description', sentence, `alike ${at}`));
  const headers = [...columns, ...Object.values(hostileTexts)];
  const headed = Array.from({ length: 12 }, (_, at) => [
    ...productWith('Type', 'Bowls', `headed ${at}`),
    ...Object.values(hostileTexts).map((_text, index) => `cell ${index}`),
  ]);
  return [
    { name: 'each.csv', bytes: utf8(csvOf([columns, ...each])) },
    { name: 'cuts.csv', bytes: utf8(csvOf([columns, ...cuts])) },
    { name: 'alike.csv', bytes: utf8(csvOf([columns, ...alike])) },
    { name: 'headers.csv', bytes: utf8(csvOf([headers, ...headed])) },
    { name: 'halves-8.csv', bytes: halvesInUtf8() },
    { name: 'halves-16.csv', bytes: halvesInUtf16() },
    { name: 'large.csv', bytes: utf8(csvOf([columns, ...largeProducts()])) },
    {
      name: `\u202e${emoji}'"<b>=1+1;.csv`,
      bytes: utf8(csvOf([columns, productWith('Tags', 'a', 'named')])),
    },
  ];
}

/** Half an emoji in UTF-8, which no encoder writes. */
function halvesInUtf8(): Uint8Array<ArrayBuffer> {
  const rows = Array.from({ length: 12 }, (_, at) => productWith('Vendor', 'a HALF b', `eight ${at}`));
  const bytes = Buffer.from(csvOf([columns, ...rows]), 'latin1').toString('latin1');
  return new Uint8Array(Buffer.from(bytes.replaceAll('HALF', '\xed\xa0\xbd'), 'latin1'));
}

function halvesInUtf16(): Uint8Array<ArrayBuffer> {
  const rows = Array.from({ length: 12 }, (_, at) =>
    productWith('Vendor', 'a\ud83db\udffac', `sixteen ${at}`),
  );
  return new Uint8Array(Buffer.from(`\ufeff${csvOf([columns, ...rows])}`, 'utf16le'));
}

/** A cell of nearly 1 MB, which is the limit of a record, and descriptions of many tags. */
function largeProducts(): string[][] {
  return [
    productWith('Description', 'word '.repeat(200_000), 'one megabyte'),
    productWith('Description', '<b>'.repeat(200_000), 'nested tags'),
    productWith('Description', '<![CDATA['.repeat(50_000), 'many CDATA'),
    productWith('Title', 'T'.repeat(100_000), 'long title'),
    productWith('Tags', 'a,'.repeat(50_000), 'many tags'),
    productWith('Image', `https://pictures.example/${'a'.repeat(50_000)}.jpg`, 'long address'),
    productWith('Type', 'Bowls', 'last one'),
  ];
}
