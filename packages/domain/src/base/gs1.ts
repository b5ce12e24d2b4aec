import { gtin14 } from './gtin.ts';

/** FNC1 as scanners and readers transmit it: it ends an element of variable length. */
export const groupSeparator = '\u001d';

/** The number of digits after a GS1 application identifier of two digits, where that number is fixed. */
const fixedDigits: Record<string, number> = {
  ...{ '00': 18, '01': 14, '02': 14, '03': 14, '04': 16 },
  ...{ '11': 6, '12': 6, '13': 6, '14': 6, '15': 6, '16': 6, '17': 6, '18': 6, '19': 6, '20': 2 },
  // Application identifiers of four digits and their six digits; a location number after one of three digits.
  ...{ '31': 8, '32': 8, '33': 8, '34': 8, '35': 8, '36': 8, '41': 14 },
};

/** The application identifier of a GTIN. */
const gtinIdentifier = '01';

/**
 * The GTIN, 14 digits, of a GS1 Digital Link: 'https://example.com/01/09506000134352/10/AB1'. Null: another text.
 * GS1 Digital Link standard, URI syntax: the key and its value are neighboring segments of the path.
 */
export function gtinOfDigitalLink(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const segments = new URL(text).pathname.split('/');
  const at = segments.findIndex((segment) => segment === gtinIdentifier || segment === 'gtin');
  const value = at < 0 ? undefined : segments[at + 1];
  return value !== undefined && /^\d{8}(?:\d{4,6})?$/.test(value) ? gtin14(value) : null;
}

/** The GTIN, 14 digits, of an element string as people read it: '(01)09506000134352(10)AB1'. Null: another text. */
export function gtinInBrackets(text: string): string | null {
  if (!/^\(\d{2,4}\)/.test(text)) return null;
  const digits = /\(01\)(\d{14})(?=\(|$)/.exec(text)?.[1];
  return digits === undefined ? null : gtin14(digits);
}

/**
 * The GTIN, 14 digits, of an element string as it is transmitted: '010950600013435210AB1'. GS1 General Specifications
 * 7.8: elements follow each other, and those of variable length end with FNC1. Null: it has none.
 */
export function gtinOfElements(text: string): string | null {
  let at = 0;
  while (at < text.length) {
    if (text[at] === groupSeparator) {
      at += 1;
      continue;
    }
    const identifier = text.slice(at, at + 2);
    if (identifier === gtinIdentifier) {
      const digits = text.slice(at + 2, at + 16);
      return /^\d{14}$/.test(digits) ? gtin14(digits) : null;
    }
    const fixed = fixedDigits[identifier];
    const end = fixed === undefined ? text.indexOf(groupSeparator, at) : at + 2 + fixed;
    if (end < 0) return null;
    at = end;
  }
  return null;
}
