import type { InlineField } from '@draftshelf/domain/base/field-look';
import { losesDecimals, readQuantity } from '@draftshelf/domain/base/quantity';
import { formatCount } from '../../../lib/intl.ts';
import { shownPrice } from '../prices/price-words.ts';

/** Fields with amounts of money beside the price. */
const amounts: readonly InlineField[] = ['compareAtPrice', 'cost'];

/**
 * A value as its cell shows it: amounts and quantities as the numbers that were understood, as 100 for 'default=100',
 * with what is cut from them (3.7 → 3), and descriptions without markup. The specification fixes the form of prices,
 * which has no groups of digits. `currency`: of the row.
 */
export function shownValue(field: InlineField, value: string, currency?: string): string {
  if (field === 'price' || (amounts.includes(field) && /\d/.test(value))) return shownPrice(value, currency);
  if (field === 'description') return value.replace(/<[^>]*>/g, ' ').trim();
  const quantity = field === 'quantity' && value !== '' ? readQuantity(value) : null;
  if (quantity === null || !Number.isSafeInteger(quantity)) return value;
  return losesDecimals(value) ? `${value} → ${formatCount(quantity)}` : formatCount(quantity);
}
