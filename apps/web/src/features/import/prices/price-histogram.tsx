import {
  createPriceBars,
  type PriceBar,
  type PriceCounts,
  positionOfPrice,
} from '@draftshelf/domain/reading/price-counts';
import { formatCount } from '../../../lib/intl.ts';
import { Bars } from '../../../ui/charts/bars.tsx';
import {
  amountWords,
  findComparableMedian,
  findSingleCurrency,
  priceBarWords,
  priceSummaryWords,
  useStoreMedian,
} from './prices.ts';

const barsMax = 20;
const heightPx = 56;

type PriceHistogramProps = {
  counts: PriceCounts;
  /** Appended to the sentence below the bars. */
  note?: string | null;
};

/** A histogram on a log scale. The store's median shows if the prices are in cents or have lost their decimal point. */
export function PriceHistogram({ counts, note = null }: PriceHistogramProps) {
  const store = useStoreMedian();
  const summary = priceSummaryWords(counts, store);
  const { low, high } = counts;
  if (low === null || high === null) return <p className="numbers">{summary}</p>;
  const median = findComparableMedian(counts, store)?.median ?? null;
  const bars = createPriceBars(counts, barsMax, median);
  const currency = findSingleCurrency(counts);
  const words = (amount: number) => amountWords(amount, currency);
  return (
    <Bars
      label="Prices on a log scale"
      heightPx={heightPx}
      ends={{ words: low === high ? [words(low)] : [words(low), words(high)], places: outerEdges(bars) }}
      bars={bars.map((bar) => ({
        name: words(bar.from),
        words: priceBarWords(bar, currency),
        parts: [{ kind: 'level', count: bar.count }],
        value: formatCount(bar.count),
      }))}
      marks={median === null ? [] : [{ place: positionOfPrice(bars, median), words: 'The store’s median' }]}
      summary={note === null ? summary : `${summary} ${note}`}
      table={{
        head: ['From', 'To', 'Rows'],
        rows: bars.map(({ from, to, count }) => [words(from), words(to), formatCount(count)]),
      }}
    />
  );
}

/** Returns the edges of the bars with prices, as shares of the width. Empty bars may extend to the store's median. */
function outerEdges(bars: readonly PriceBar[]): [number, number] {
  const first = bars.findIndex(({ count }) => count > 0);
  const last = bars.findLastIndex(({ count }) => count > 0);
  return [first / bars.length, (last + 1) / bars.length];
}
