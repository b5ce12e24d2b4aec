import type { CanonicalField, RowValues } from '../base/canonical-fields.ts';
import { parseMoney } from '../base/money.ts';
import { quantityToSend } from '../base/quantity.ts';

/** Returns the compare-at price to send, or null. 0 in a file means none. `price`: the amount of the row's price. */
export function compareAtPriceOf(values: RowValues, price: string): string | null {
  const amount = parseMoney(values.compareAtPrice ?? '')?.amount;
  if (!amount || Number(amount) === 0) return null;
  return countCompareAtPieces(values, amount, price) > 1 ? null : amount;
}

/** Returns how many pieces a compare-at price is for: 'Ext. Retail' of a manifest is for all pieces of its line. */
export function countCompareAtPieces(values: RowValues, compareAt: string, price: string): number {
  if (values.compareAtPieces !== undefined) return Number(values.compareAtPieces);
  const pieces = quantityToSend(values.quantity);
  return pieces > 1 && cents(compareAt) === cents(price) * pieces ? pieces : 1;
}

/** Adds the number of pieces of the compare-at price to edited values, unless that price was edited. */
export function keepCompareAtPieceCount(
  before: RowValues,
  after: RowValues,
  isEdited: (field: CanonicalField) => boolean,
): RowValues {
  const { compareAtPieces: _, ...values } = after;
  const compareAt = parseMoney(values.compareAtPrice ?? '')?.amount;
  if (!compareAt || isEdited('compareAtPrice') || !(isEdited('price') || isEdited('quantity'))) return values;
  const pieces = countCompareAtPieces(before, compareAt, parseMoney(before.price ?? '')?.amount ?? '');
  return { ...values, compareAtPieces: String(pieces) };
}

/** Rounds an amount to cents, only for comparison. */
const cents = (amount: string): number => Math.round(Number(amount) * 100);
