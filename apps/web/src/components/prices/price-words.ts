import { formatDollars } from '@draftshelf/domain/money';
import { countedPrices, medianPrice, type PriceBar, type PriceCounts } from '@draftshelf/domain/price-counts';
import { countOf, formatCount } from '../../lib/intl.ts';

/** An amount as prices are written, with groups of digits. */
export function amountWords(amount: number): string {
  const [whole = '', cents = ''] = formatDollars(amount.toFixed(2)).slice(1).split('.');
  return `$${formatCount(Number(whole))}.${cents}`;
}

/** '$9.95 to $12.53: 40 rows'. */
export function barWords({ from, to, count }: PriceBar): string {
  return `${amountWords(from)} to ${amountWords(to)}: ${countOf(count, 'row')}`;
}

/** A median this many times the store's, or less than its inverse, is likely a mistake in all prices. */
const farTimes = 8;

/** The prices in a sentence: their median beside the store's. */
export function summaryWords(counts: PriceCounts, storeMedian: number | null): string {
  const median = medianPrice(counts);
  if (median === null) return counts.zeros > 0 ? 'All prices are 0.' : 'No prices yet.';
  const own = `Half of the prices are below about ${amountWords(median)}.`;
  const zeros = counts.zeros > 0 ? ` ${countOf(counts.zeros, 'price is', 'prices are')} 0.` : '';
  if (storeMedian === null) return `${own}${zeros}`;
  return `${own} The line is the store’s median, ${amountWords(storeMedian)}.${farWords(median / storeMedian)}${zeros}`;
}

function farWords(times: number): string {
  if (times >= farTimes) return ' Are these prices in cents, or without their decimal mark?';
  return times <= 1 / farTimes ? ' Are these prices too low?' : '';
}

/** 'From 1,000 of 25,000 rows.'; null if all rows were counted. */
export function sampledWords({ rows, totalRows }: { rows: number; totalRows: number }): string | null {
  return rows < totalRows ? `From ${formatCount(rows)} of ${formatCount(totalRows)} rows.` : null;
}

export const hasPrices = (counts: PriceCounts): boolean => countedPrices(counts) > 0;
