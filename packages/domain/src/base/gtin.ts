import { isNoCode } from './no-code.ts';

/**
 * Returns a GTIN-8, -12 (UPC-A), -13 (EAN) or -14 as 14 digits, or null if length or check digit are wrong. Spaces,
 * dashes and a spreadsheet's leading apostrophe are ignored. 11 digits are a UPC-A without its leading zero.
 */
export const toGtin14 = (text: string): string | null => gtinOf(digitsOf(text));

function gtinOf(digits: string): string | null {
  const { length } = digits;
  if (length !== 8 && (length < 11 || length > 14)) return null;
  return hasValidCheckDigit(digits) && !isPlaceholder(digits) ? digits.padStart(14, '0') : null;
}

const digitsOf = (text: string): string =>
  hasOnlyDigits(text)
    ? text
    : (text.length > cellCharsMax ? text : text.normalize('NFKC'))
        .trim()
        .replace(/^['’]/, '')
        .replace(/^(\d{8,14})[.,]0+$/, '$1')
        .replace(/[\s\p{Pd}]/gu, '');

const countingUp = '01234567890123';

/** Whether a code is a made-up example: the digits before its check digit only count up or repeat. */
export function isPlaceholder(code: string): boolean {
  const digits = digitsOf(code);
  if (digits.length < 11) return false;
  const first = digits.charCodeAt(0);
  if (digits.charCodeAt(1) - first > 1) return false;
  const body = digits.slice(0, -1);
  return (
    (digits.length > 12 && countingUp.includes(body)) ||
    (body.length > 6 && body === body.charAt(0).repeat(body.length))
  );
}

const hasOnlyDigits = (text: string): boolean => /^\d+$/.test(text);

/** Returns a sentence if a code is not a GTIN, else null. */
export function findGtinProblem(text: string): string | null {
  if (toGtin14(text) !== null) return null;
  const digits = digitsOf(text);
  if (!/^\d+$/.test(digits)) return 'A UPC has digits only.';
  if (!/^(?:\d{8}|\d{11,14})$/.test(digits)) {
    return `A UPC has 8, 12, 13 or 14 digits; this one has ${digits.length}.`;
  }
  if (isPlaceholder(digits)) return 'This is a sample number. Enter the product’s own.';
  return 'The last digit doesn’t fit the others. Check the number for a typo.';
}

/** Returns a GTIN of 14 digits in its printed form: GTIN-8, UPC-A, EAN-13 or GTIN-14. */
export function toPrintedCode(gtin: string): string {
  if (gtin.startsWith('000000')) return gtin.slice(6);
  if (gtin.startsWith('00')) return gtin.slice(2);
  return gtin.startsWith('0') ? gtin.slice(1) : gtin;
}

/**
 * Returns the UPC-A of 12 digits for a UPC-E of 8 digits with the same check digit, or null if the code is not a
 * UPC-E. GS1 General Specifications 5.2.2.4: the last of the six middle digits shows where zeros were left out.
 */
export function expandUpce(code: string): string | null {
  if (!/^[01]\d{7}$/.test(code)) return null;
  const system = code.slice(0, 1);
  const [a = '', b = '', c = '', d = '', e = '', last = '', check = ''] = code.slice(1);
  const middle =
    last <= '2'
      ? `${a}${b}${last}0000${c}${d}${e}`
      : last === '3'
        ? `${a}${b}${c}00000${d}${e}`
        : last === '4'
          ? `${a}${b}${c}${d}00000${e}`
          : `${a}${b}${c}${d}${e}0000${last}`;
  return `${system}${middle}${check}`;
}

/** Maximum number of codes that are read from a cell. Commas, semicolons, bars, slashes or blanks separate codes. */
const codesMax = 20;
const cellCharsMax = 400;
const separated = /[,;|/\s]/;

/** Returns a valid code, or null. A UPC-A gets back the leading zero that a spreadsheet removed. */
function validIn(text: string): { gtin: string; code: string } | null {
  const digits = digitsOf(text);
  const gtin = gtinOf(digits);
  return gtin === null ? null : { gtin, code: digits.length === 11 ? `0${digits}` : digits };
}

/** Whether a cell is a UPC-A without its leading zero. The code is sent with the zero. */
export const lacksLeadingZero = (cell: string): boolean =>
  cell.length >= 11 && digitsOf(cell).length === 11 && toGtin14(cell) !== null;

/**
 * Returns the first valid GTIN in a cell as 14 digits, and the digits of its code, or null if there is none. A cell
 * may hold several codes: '0123456789012, 0123456789029'.
 */
export function findGtin(cell: string): { gtin: string; code: string } | null {
  const whole = validIn(cell);
  if (whole !== null) return whole;
  // Most invalid cells have a single code. Such cells are not split, because this function runs for every row.
  if (hasOnlyDigits(cell) || cell.length > cellCharsMax || !separated.test(cell.trim())) return null;
  for (const code of codesIn(cell)) {
    const valid = validIn(code);
    if (valid !== null) return valid;
  }
  return null;
}

const codesIn = (cell: string): string[] => cell.trim().split(/[,;|/\s]+/, codesMax);

/** Whether a cell holds several different valid GTINs. Only the first one is used. */
export function hasSeveralGtins(cell: string): boolean {
  if (hasOnlyDigits(cell) || cell.length > cellCharsMax || toGtin14(cell) !== null) return false;
  return new Set(codesIn(cell).flatMap((code) => toGtin14(code) ?? [])).size > 1;
}

/**
 * Whether a spreadsheet has replaced a code's last digits: by an exponent ('8.85E+11'), or by zeros, because
 * spreadsheets keep 15 digits of a number.
 */
export function hasLostDigits(cell: string): boolean {
  if (cell.length > 15 && /^[1-9]\d{14}0+$/.test(cell)) return true;
  return (cell.includes('E') || cell.includes('e')) && /^\s*\d+(?:[.,]\d+)?E\+?\d+\s*$/i.test(cell);
}

/** Returns a cell's barcode: the digits of its first valid code, else its text. Empty for 'n/a' and for lost digits. */
export function barcodeOf(cell = ''): string {
  if (hasLostDigits(cell)) return '';
  const code = findGtin(cell)?.code;
  if (code !== undefined) return code;
  if (isNoCode(cell)) return '';
  const digits = digitsOf(cell);
  return hasOnlyDigits(digits) ? digits : cell;
}

/**
 * GS1 General Specifications 7.9: digits weighted 1, 3, 1, … from the right must sum to a multiple of ten. A code of
 * only zeros is invalid.
 */
function hasValidCheckDigit(text: string): boolean {
  let sum = 0;
  let weight = 1;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    sum += Number(text.charAt(at)) * weight;
    weight = 4 - weight;
  }
  return sum > 0 && sum % 10 === 0;
}
