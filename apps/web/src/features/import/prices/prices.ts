import { currencyCode, formatDollars, parseMoney } from '@draftshelf/domain/base/money';
import { medianPrice, type PriceBar, type PriceCounts } from '@draftshelf/domain/reading/price-counts';
import { useQuery } from '@tanstack/react-query';
import { readOf } from '../../../api/call.ts';
import { countOf, formatCount, listed } from '../../../lib/intl.ts';

/** `currency`: null if unknown, so that no sign is shown. */
export function amountWords(amount: number, currency: string | null): string {
  const style = currency === null ? decimals : ({ style: 'currency', currency } as const);
  return amount.toLocaleString('en-US', style);
}

const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

/** Null if the prices have no currency or several. */
export const currencyOf = ({ currencies }: PriceCounts): string | null =>
  currencies.length === 1 ? (currencies[0] ?? null) : null;

/** Null if prices have another currency than the store. */
export const findComparableMedian = (
  { currencies }: PriceCounts,
  store: StoreMedian | null,
): StoreMedian | null =>
  store !== null && currencies.every((currency) => currency === store.currency) ? store : null;

export const barWords = ({ from, to, count }: PriceBar, currency: string | null): string =>
  `${amountWords(from, currency)} to ${amountWords(to, currency)}: ${countOf(count, 'row')}`;

/** A median this many times above or below the store's is probably a mistake in all prices. */
const farTimes = 8;

export function summaryWords(counts: PriceCounts, store: StoreMedian | null): string {
  const median = medianPrice(counts);
  if (median === null) return counts.zeros > 0 ? 'All prices are 0.' : 'No prices yet.';
  const own = `Half of the prices are below about ${amountWords(median, currencyOf(counts))}.`;
  const { count: few, currencies: others } = counts.few;
  const named = listed(others);
  const inOther = few > 0 ? ` ${countOf(few, 'price is', 'prices are')} in ${named}.` : '';
  const zeros = counts.zeros > 0 ? ` ${countOf(counts.zeros, 'price is', 'prices are')} 0.` : '';
  return `${own}${storeWords(counts, median, store)}${inOther}${zeros}`;
}

function storeWords(counts: PriceCounts, median: number, store: StoreMedian | null): string {
  const { currencies } = counts;
  if (currencies.length > 1) return ` The prices are in several currencies: ${currencies.join(', ')}.`;
  if (store === null) return '';
  const storeMedian = findComparableMedian(counts, store);
  if (storeMedian === null) {
    const own = currencies[0] ?? '';
    return store.currency === null ? '' : ` In ${own}, so not compared with your store (${store.currency}).`;
  }
  const namesNone = currencies.length === 0 && counts.few.count === 0;
  const unknown = namesNone ? ' The prices name no currency.' : '';
  const line = ` The line marks the store’s median price, ${amountWords(storeMedian.median, storeMedian.currency)}.`;
  return `${unknown}${line}${farWords(median / storeMedian.median)}`;
}

function farWords(times: number): string {
  if (times >= farTimes) return ' Are these prices in cents, or without their decimal mark?';
  return times <= 1 / farTimes ? ' Are these prices too low?' : '';
}

/** Null if all rows were counted. */
export const sampledWords = ({ rows, totalRows }: { rows: number; totalRows: number }): string | null =>
  rows < totalRows ? `From ${formatCount(rows)} of ${formatCount(totalRows)} rows.` : null;

/** Example: '$1234.50', or '€1234.50' if the price or its row has another currency. */
export function shownPrice(value: string, currencyName: string | undefined): string {
  const dollars = formatDollars(value);
  const currency = parseMoney(value)?.currency ?? currencyCode(currencyName);
  return currency === null ? dollars : dollars.replace('$', signOf(currency));
}

const signOf = (currency: string): string =>
  (0)
    .toLocaleString('en-US', { style: 'currency', currencyDisplay: 'narrowSymbol', currency })
    .replace(/0.*/, '');

export function useStoreMedian(): StoreMedian | null {
  const { median, currency } = useQuery(readOf('getStoreMedian')).data ?? {};
  return typeof median === 'number' ? { median, currency: currency ?? null } : null;
}

/** `currency`: null until the store answers. */
export type StoreMedian = { median: number; currency: string | null };

/** `version`: differs if the values may have changed. */
export function useValuesSample(importId: string, version: string) {
  const read = readOf('getValuesSample', { params: { id: importId } });
  return useQuery({
    ...read,
    queryKey: [...read.queryKey, version],
    // Edits and picture checks change the values. A failed read only hides extra remarks, so it is not retried.
    staleTime: 0,
    retry: false,
  }).data;
}
