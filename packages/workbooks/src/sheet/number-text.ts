/** Adds a fourth decimal to a number whose three decimals look like thousands: 1.1250 is unambiguous. */
export const withUnambiguousDecimals = (decimal: string): string =>
  looksLikeThousands.test(decimal) ? `${decimal}0` : decimal;

const looksLikeThousands = /^-?\d{1,3}\.\d{3}$/;

/** Pads a number to at least `count` decimals. A column with '39.00' instead of '39' is detected as a price. */
export function padDecimals(decimal: string, count: number): string {
  const point = decimal.indexOf('.');
  return point === -1 ? `${decimal}.${'0'.repeat(count)}` : decimal.padEnd(point + 1 + count, '0');
}

/** Returns a number as text with the 15 digits that Excel shows, never with an exponent. */
export function toDecimalText(value: number): string {
  const text = String(Number(value.toPrecision(15)));
  const [, sign = '', whole = '', decimals = '', exponentText] =
    /^(-?)(\d+)\.?(\d*)e([+-]\d+)$/.exec(text) ?? [];
  if (exponentText === undefined) return text;
  const exponent = Number(exponentText);
  return exponent > 0
    ? `${sign}${whole}${decimals.padEnd(exponent, '0')}`
    : `${sign}0.${'0'.repeat(-exponent - 1)}${whole}${decimals}`;
}

/** Returns whether bytes are a number that needs no change. Example of a change: Google Sheets writes 42 as 42.0. */
export function isPlainNumber(bytes: Uint8Array, from: number, to: number): boolean {
  let at = bytes[from] === 0x2d ? from + 1 : from;
  const wholeFrom = at;
  while (at < to && isDigit(bytes[at] as number)) at += 1;
  const whole = at - wholeFrom;
  if (whole === 0 || (whole > 1 && bytes[wholeFrom] === 0x30)) return false;
  if (at === to) return whole <= 15;
  if (bytes[at] !== 0x2e) return false;
  const decimalsFrom = at + 1;
  for (at = decimalsFrom; at < to && isDigit(bytes[at] as number); ) at += 1;
  const decimals = at - decimalsFrom;
  if (decimals === 1 && bytes[decimalsFrom] === 0x30) return false;
  return at === to && decimals > 0 && whole + decimals <= 15;
}

/** Counts the digits after the point of a plain number. Returns -1 if it has no point. */
export function countDecimals(bytes: Uint8Array, to: number): number {
  for (let at = to - 1; at >= 0; at -= 1) if (bytes[at] === 0x2e) return to - at - 1;
  return -1;
}

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;
