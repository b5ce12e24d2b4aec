import { parseMoney } from './money.ts';

/** How nearly every file writes quantities. It is tried first, because quantities are read for every row. */
const plainQuantity = /^\d{1,9}$/;

/** A separator before the number of the next store. */
const nextStore = /[,;|](?=[^,;|=]*=)/;

/**
 * Reads a cell as a quantity; null if it is no number. Decimals are cut off. Numbers per store, as in
 * 'default=100,annex=20', are added up.
 */
export function readQuantity(text: string): number | null {
  if (plainQuantity.test(text)) return Number(text);
  const sum = sumOf(text);
  return Number.isFinite(sum) ? Math.trunc(sum) + 0 : null;
}

/** Whether a cell is read as a quantity without its decimals. */
export function losesDecimals(text: string): boolean {
  const sum = sumOf(text);
  return Number.isFinite(sum) && !Number.isInteger(sum);
}

function sumOf(text: string): number {
  const numbers = text.split(nextStore).map((part) => signedNumber(part.replace(/^[^=]*=/, '')));
  return numbers.reduce((total, number) => total + number, 0);
}

/** The quantity that is sent: 0 if there is none, or if it is no number. */
export function quantityOf(text: string | undefined): number {
  return text === undefined ? 0 : (readQuantity(text) ?? 0);
}

/** NaN if it is no number. */
function signedNumber(text: string): number {
  const isNegative = /^\s*-/.test(text);
  const number = Number(parseMoney(isNegative ? text.replace('-', '') : text)?.amount);
  return isNegative ? -number : number;
}
