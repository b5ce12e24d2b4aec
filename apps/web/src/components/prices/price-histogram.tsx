import { type PriceCounts, placeOfPrice, priceBars } from '@draftshelf/domain/price-counts';
import { useStoreMedian } from '../../api/prices.ts';
import { formatCount } from '../../lib/intl.ts';
import { Bars } from '../charts/bars.tsx';
import { amountWords, barWords, hasPrices, summaryWords } from './price-words.ts';

const barsMax = 20;
const heightPx = 56;

type PriceHistogramProps = {
  counts: PriceCounts;
  /** Follows the sentence below the bars. */
  note?: string | null;
};

/** Prices on a log scale, with the store's median marked: cents for dollars or a lost decimal mark are seen at once. */
export function PriceHistogram({ counts, note = null }: PriceHistogramProps) {
  const median = useStoreMedian() ?? null;
  const bars = priceBars(counts, barsMax, median);
  const summary = summaryWords(counts, median);
  if (!hasPrices(counts)) return <p className="numbers">{summary}</p>;
  return (
    <Bars
      label="Prices on a log scale"
      heightPx={heightPx}
      ends={[amountWords(bars[0]?.from ?? 0), amountWords(bars.at(-1)?.to ?? 0)]}
      bars={bars.map((bar) => ({
        name: amountWords(bar.from),
        words: barWords(bar),
        parts: [{ kind: 'level', count: bar.count }],
        value: formatCount(bar.count),
      }))}
      marks={median === null ? [] : [{ place: placeOfPrice(bars, median), words: 'The store’s median' }]}
      summary={note === null ? summary : `${summary} ${note}`}
      table={{
        head: ['From', 'To', 'Rows'],
        rows: bars.map(({ from, to, count }) => [amountWords(from), amountWords(to), formatCount(count)]),
      }}
    />
  );
}
