import { countOf, formatCount } from '../../../lib/intl.ts';
import type { PictureCounts } from './pictures-api.ts';

/** '412 pictures in the file: 396 matched to 390 products · 9 matched nothing · 7 could not be read'. */
export function picturesWords(counts: PictureCounts): string {
  const { matched, unmatched, refused, waiting, products } = counts;
  const parts = [
    matched > 0 && `${formatCount(matched)} matched to ${countOf(products, 'product')}`,
    unmatched > 0 && `${formatCount(unmatched)} matched nothing`,
    refused > 0 && `${formatCount(refused)} could not be read`,
    waiting > 0 && `${formatCount(waiting)} still being read`,
  ].filter((part) => part !== false);
  return `${countOf(matched + unmatched + refused + waiting, 'picture')} in the file: ${parts.join(' · ')}`;
}
