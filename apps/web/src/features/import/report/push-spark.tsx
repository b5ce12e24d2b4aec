import { Spark } from '../../../ui/charts/spark.tsx';
import { usePushSeries } from './report-api.ts';
import { endsOf, ratesOf, seriesSummary, stepWords } from './report-words.ts';

const heightPx = 40;

/** Null while there is too little data. */
export function PushSpark({ importId, isRunning }: { importId: string; isRunning: boolean }) {
  const series = usePushSeries(importId, isRunning).data?.series ?? null;
  if (series === null || series.products.length === 0) return null;
  const rates = ratesOf(series);
  const words = stepWords(series);
  return (
    <Spark
      label="Products sent per second"
      heightPx={heightPx}
      values={rates}
      words={words}
      level={series.planPerSecond}
      ends={endsOf(series)}
      summary={seriesSummary(series)}
      table={{ head: ['From', 'Rate'], rows: words.map((step) => step.split(/: (.*)/).slice(0, 2)) }}
    />
  );
}
