import { parseMoney } from './money.ts';

/** The compare-at price that is sent, or null. Files write 0 for none. */
export function compareAtOf(text: string | undefined, price: string, quantity: number): string | null {
  const amount = parseMoney(text ?? '')?.amount;
  if (!amount || Number(amount) === 0) return null;
  return isOfAllPieces(amount, price, quantity) ? null : amount;
}

/** 'Ext. Retail', a row key of the compare-at price, is the price of all pieces of a manifest line together. */
export function isOfAllPieces(amount: string, price: string, quantity: number): boolean {
  return quantity > 1 && cents(amount) === cents(price) * quantity;
}

/** Only for comparing amounts. */
const cents = (amount: string): number => Math.round(Number(amount) * 100);
