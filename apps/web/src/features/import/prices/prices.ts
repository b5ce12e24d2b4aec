import { formatDollars, parseMoney, readCurrency } from '@draftshelf/domain/base/money';
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

/** Returns the currency of the prices, or null if there is none or if there are several. */
export const findSingleCurrency = ({ currencies }: PriceCounts): string | null =>
  currencies.length === 1 ? (currencies[0] ?? null) : null;

/** Returns the store's median, or null if it is unknown or if some prices have another currency. */
export const findComparableMedian = (
  { currencies }: PriceCounts,
  store: StoreMedian | null,
): StoreMedian | null =>
  store !== null && currencies.every((currency) => currency === store.currency) ? store : null;

export const priceBarWords = ({ from, to, count }: PriceBar, currency: string | null): string =>
  `${amountWords(from, currency)} to ${amountWords(to, currency)}: ${countOf(count, 'row')}`;

/** If the median is this many times above or below the store's, probably all prices have the same mistake. */
const farTimes = 8;

export function priceSummaryWords(counts: PriceCounts, store: StoreMedian | null): string {
  const median = medianPrice(counts);
  if (median === null) return counts.zeros > 0 ? 'All prices are 0.' : 'No prices yet.';
  const own = `Half of the prices are below about ${amountWords(median, findSingleCurrency(counts))}.`;
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
    return store.currency === null
      ? ''
      : ` They are in ${own}, so they aren’t compared with your store’s prices in ${store.currency}.`;
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

/** Example: 'From 1,000 of 25,000 rows.' Null if all rows were counted. */
export const sampledRowsWords = ({ rows, totalRows }: { rows: number; totalRows: number }): string | null =>
  rows < totalRows ? `From ${formatCount(rows)} of ${formatCount(totalRows)} rows.` : null;

/** Example: '$1234.50', or '€1234.50' if the price or its row has another currency. */
export function formatRowPrice(value: string, currencyName: string | undefined): string {
  const dollars = formatDollars(value);
  const currency = parseMoney(value)?.currency ?? readCurrency(currencyName);
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

/** `currency`: null if the store has not reported it yet. */
export type StoreMedian = { median: number; currency: string | null };

/** Reads a sample of an import's values. `version` changes whenever the values may have changed. */
export function useValuesSample(importId: string, version: string) {
  const read = readOf('getValuesSample', { params: { id: importId } });
  return useQuery({
    ...read,
    queryKey: [...read.queryKey, version],
    // Edits and picture checks change the values. Not retried, because a failed read hides only extra remarks.
    staleTime: 0,
    retry: false,
  }).data;
}
