import type { PushSeries } from '@draftshelf/contract/imports/report';
import { countOf, formatClock, formatCount } from '../../../lib/intl.ts';

type Series = NonNullable<PushSeries>;

/** A rate with two digits: '17/s', or '40/min' below one a second. */
export function rateWords(perSecond: number): string {
  if (perSecond > 0 && perSecond < 1) return `${formatCount(Math.max(1, Math.round(perSecond * 60)))}/min`;
  return `${formatCount(Number(perSecond.toPrecision(2)))}/s`;
}

/** Products per second in each step; null where the push waited or was paused. */
export function ratesOf({ products, stepMs }: Series): (number | null)[] {
  return products.map((count) => (count === 0 ? null : (1000 * count) / stepMs));
}

/** Each step in words: '2:05 PM: 17/s, 120 products'. */
export function stepWords(series: Series): string[] {
  const startMs = Date.parse(series.startedAt);
  return series.products.map((count, at) => {
    const clock = formatClock(startMs + at * series.stepMs);
    if (count === 0) return `${clock}: nothing sent`;
    return `${clock}: ${rateWords((1000 * count) / series.stepMs)}, ${countOf(count, 'product')}`;
  });
}

/** The times of the first and the last step's end. */
export function endsOf({ startedAt, products, stepMs }: Series): [string, string] {
  const startMs = Date.parse(startedAt);
  return [formatClock(startMs), formatClock(startMs + products.length * stepMs)];
}

/** '900 products, 17/s on average. The plan refills for 7/s (dashed).' */
export function seriesSummary({ products, stepMs, planPerSecond }: Series): string {
  const total = products.reduce((sum, count) => sum + count, 0);
  const average = (1000 * total) / Math.max(1, stepMs * products.length);
  const plan = planPerSecond === null ? '' : ` The plan refills for ${rateWords(planPerSecond)} (dashed).`;
  return `${countOf(total, 'product')}, ${rateWords(average)} on average.${plan}`;
}
