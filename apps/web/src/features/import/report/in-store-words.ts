import { countOf, formatCount } from '../../../lib/intl.ts';

/** Sentence with the number of products that a push left alone because the store has them under another id. */
export function inStoreWords(inStore: number, total: number): string {
  if (inStore === total) {
    return total === 1
      ? 'The product is already in the store.'
      : `All ${formatCount(total)} are already in the store.`;
  }
  return `${formatCount(inStore)} of ${countOf(total, 'product')} ${inStore === 1 ? 'is' : 'are'} already in the store.`;
}
