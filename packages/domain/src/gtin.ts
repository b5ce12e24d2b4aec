/**
 * A GTIN-8, -12 (UPC-A), -13 (EAN) or -14 as 14 digits, or null where length or check digit are wrong. Spaces,
 * dashes and a spreadsheet's leading apostrophe are ignored; 11 digits are a UPC-A that lost its leading nought.
 */
export function gtin14(text: string): string | null {
  const digits = /^\d+$/.test(text) ? text : text.trim().replace(/^['’]/, '').replace(/[\s-]/g, '');
  if (!/^(?:\d{8}|\d{11,14})$/.test(digits) || /^0+$/.test(digits)) return null;
  const padded = digits.padStart(14, '0');
  return hasValidCheckDigit(padded) ? padded : null;
}

/** GS1 General Specifications 7.9: weights 3 and 1 from the left of 14 digits make a multiple of ten. */
function hasValidCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < 14; at += 1) sum += (digits.charCodeAt(at) - 48) * (at % 2 === 0 ? 3 : 1);
  return sum % 10 === 0;
}
