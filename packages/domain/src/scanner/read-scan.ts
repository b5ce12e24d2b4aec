import { cutText } from '../base/cut-text.ts';
import { expandUpce, findGtinProblem, toGtin14, toPrintedCode } from '../base/gtin.ts';
import { photoIdAt } from '../base/photo-address.ts';

export const scanFormats = [
  'EAN13',
  'EAN8',
  'UPCA',
  'UPCE',
  'ITF14',
  'Code128',
  'QRCode',
  'DataMatrix',
] as const;
export type ScanFormat = (typeof scanFormats)[number];

export type Scan = {
  /** A product number for the UPC field (`gtin`), or a text for the SKU field. */
  kind: 'gtin' | 'text';
  /** The code as it is shown and saved, such as '036000291452'. */
  text: string;
  /** The 14 digits of the GTIN, or null if the code is not a GTIN. */
  gtin: string | null;
  /** A sentence about a code that needs attention, or null. */
  problem: string | null;
  /** True if a source of product data may have the code. */
  isPublic: boolean;
  /** The product or photo of this installation if the code is its address, else null. */
  own: { kind: 'product' | 'photo'; id: string } | null;
};

const skuLengthMax = 255;

const caseProblem = 'This is the code of a case, not of one piece.';
const inStoreProblem = 'Only your shop knows this code.';

/** Formats whose content is read as a text even if it consists of digits. */
const textFormats: readonly (ScanFormat | null)[] = ['Code128', 'QRCode', 'DataMatrix'];

/** Reads a code, maybe with an AIM identifier (']E0') or GS1 separators. Null if it has no characters to save. */
export function readScan(text: string, format: ScanFormat | null = null): Scan | null {
  const { content, isGs1, kind } = withoutIdentifier(text.trim(), format);
  const code = printable(content);
  if (code === '') return null;
  const gtin = gtinOfGs1(content, isGs1);
  if (gtin !== null) return gtinScan(toPrintedCode(gtin), gtin);
  const own = ownAddress(code);
  if (own !== null) return { ...textScan(code), own };
  if (textFormats.includes(kind)) return textScan(code);
  return numberScan(code.replace(/[\s-]/g, ''), kind) ?? textScan(code, typoIn(code));
}

/** The AIM identifiers (ISO/IEC 15424) of code formats. */
const identifiers: readonly [start: string, format: ScanFormat | null, isGs1: boolean][] = [
  [']C1', 'Code128', true],
  [']Q3', 'QRCode', true],
  [']d2', 'DataMatrix', true],
  [']e0', null, true],
  // EAN-13, UPC-A and UPC-E share an identifier and differ in length.
  [']E0', null, false],
  [']E3', null, false],
  [']E4', 'EAN8', false],
  [']I', 'ITF14', false],
  [']C', 'Code128', false],
  [']Q', 'QRCode', false],
  [']d', 'DataMatrix', false],
];

/** Removes an AIM identifier, and detects GS1 content by the identifier or by a separator. */
function withoutIdentifier(text: string, format: ScanFormat | null) {
  const found = /^\][A-Za-z][\dA-Za-z]./.test(text)
    ? identifiers.find(([start]) => text.startsWith(start))
    : undefined;
  if (found) return { content: text.slice(3), kind: format ?? found[1], isGs1: found[2] };
  return { content: text, kind: format, isGs1: text.includes(groupSeparator) };
}

function gtinOfGs1(text: string, isGs1: boolean): string | null {
  return gtinOfDigitalLink(text) ?? gtinInBrackets(text) ?? (isGs1 ? gtinOfElements(text) : null);
}

function printable(text: string): string {
  return text
    .replace(/\p{Cc}/gu, '')
    .toWellFormed()
    .trim();
}

/** Returns the scan of a product number, or null if the digits are not a product number. */
function numberScan(digits: string, format: ScanFormat | null): Scan | null {
  if (!/^(?:\d{8}|\d{11,14})$/.test(digits)) return null;
  if (digits.length === 8 && format !== 'EAN8') {
    const upca = expandUpce(digits);
    const gtin = upca === null ? null : toGtin14(upca);
    if (upca !== null && gtin !== null) return gtinScan(upca, gtin);
    if (format === 'UPCE') return null;
  }
  const gtin = toGtin14(digits);
  return gtin === null ? null : gtinScan(shownDigits(digits), gtin);
}

/** Returns the digits as they are printed. An EAN-13 that begins with 0 is a UPC-A. */
function shownDigits(digits: string): string {
  const extra = digits.length - 12;
  if (extra < 0) return digits.padStart(digits.length === 11 ? 12 : 0, '0');
  const zeros = digits.search(/[^0]/);
  return digits.slice(Math.min(extra, zeros));
}

function gtinScan(text: string, gtin: string): Scan {
  const inStore = isInStore(gtin);
  const isCase = !gtin.startsWith('0');
  const problem = inStore ? inStoreProblem : isCase ? caseProblem : null;
  return { kind: 'gtin', text, gtin, problem, isPublic: !inStore, own: null };
}

/** Returns whether a shop assigned the number: GS1 prefixes 020–029, 040–049, 200–299; for GTIN-8 also 000–099. */
function isInStore(gtin: string): boolean {
  const short = gtin.startsWith('000000');
  return short ? /^0{6}[02]/.test(gtin) : /^\d(?:02|04|2)/.test(gtin);
}

function textScan(code: string, typo: string | null = null): Scan {
  const isLong = code.length > skuLengthMax;
  const problem = isLong
    ? `The code has ${code.length} characters. A SKU keeps the first ${skuLengthMax}.`
    : typo;
  return {
    ...{ kind: 'text', gtin: null, isPublic: false, own: null, problem },
    text: cutText(code, skuLengthMax),
  };
}

/** Returns a sentence about a product number with one wrong digit, or null for any other code. */
function typoIn(code: string): string | null {
  const isNumber = /^\d{12,13}$/.test(code.replace(/[\s-]/g, ''));
  return isNumber ? findGtinProblem(code) : null;
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const productPath = new RegExp(`^/(?:api/scanner/products|scanner)/(${uuid})$`, 'i');

function ownAddress(code: string): Scan['own'] {
  const base = 'http://localhost';
  if (!/^(?:https?:\/\/|\/)/i.test(code) || !URL.canParse(code, base)) return null;
  const { pathname, searchParams } = new URL(code, base);
  const photo = photoIdAt(pathname.toLowerCase());
  if (photo !== null) return { kind: 'photo', id: photo };
  const named = pathname === '/scanner' ? `/scanner/${searchParams.get('product') ?? ''}` : pathname;
  const product = productPath.exec(named)?.[1];
  return product === undefined ? null : { kind: 'product', id: product.toLowerCase() };
}

/** FNC1 as scanners and readers transmit it. It ends an element of variable length. */
const groupSeparator = '\u001d';

/** The number of digits after a two-digit GS1 application identifier, for identifiers with a fixed length. */
const fixedDigits: Record<string, number> = {
  ...{ '00': 18, '01': 14, '02': 14, '03': 14, '04': 16 },
  ...{ '11': 6, '12': 6, '13': 6, '14': 6, '15': 6, '16': 6, '17': 6, '18': 6, '19': 6, '20': 2 },
  // 31 to 36 are followed by 2 more digits of the identifier and 6 of data, 41 by 1 more digit and 13 of data.
  ...{ '31': 8, '32': 8, '33': 8, '34': 8, '35': 8, '36': 8, '41': 14 },
};

/** The application identifier of a GTIN. */
const gtinIdentifier = '01';

/**
 * Returns the 14-digit GTIN of a GS1 Digital Link such as 'https://example.com/01/09506000134352/10/AB1', or null. GS1
 * Digital Link standard, URI syntax: the key and its value are neighboring segments of the path.
 */
function gtinOfDigitalLink(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const segments = new URL(text).pathname.split('/');
  const at = segments.findIndex((segment) => segment === gtinIdentifier || segment === 'gtin');
  const value = at < 0 ? undefined : segments[at + 1];
  return value !== undefined && /^\d{8}(?:\d{4,6})?$/.test(value) ? toGtin14(value) : null;
}

/** Returns the 14-digit GTIN of a printed element string such as '(01)09506000134352(10)AB1', or null. */
function gtinInBrackets(text: string): string | null {
  if (!/^\(\d{2,4}\)/.test(text)) return null;
  const digits = /\(01\)(\d{14})(?=\(|$)/.exec(text)?.[1];
  return digits === undefined ? null : toGtin14(digits);
}

/**
 * Returns the 14-digit GTIN of a transmitted element string such as '010950600013435210AB1', or null. GS1 General
 * Specifications 7.8: elements follow each other, and those of variable length end with FNC1.
 */
function gtinOfElements(text: string): string | null {
  let at = 0;
  while (at < text.length) {
    if (text[at] === groupSeparator) {
      at += 1;
      continue;
    }
    const identifier = text.slice(at, at + 2);
    if (identifier === gtinIdentifier) {
      const digits = text.slice(at + 2, at + 16);
      return /^\d{14}$/.test(digits) ? toGtin14(digits) : null;
    }
    const fixed = fixedDigits[identifier];
    const end = fixed === undefined ? text.indexOf(groupSeparator, at) : at + 2 + fixed;
    if (end < 0) return null;
    at = end;
  }
  return null;
}
