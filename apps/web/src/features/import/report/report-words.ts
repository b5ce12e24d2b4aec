import type { ImportReport, PushSeries } from '@draftshelf/contract/imports/report';
import type { Row } from '@draftshelf/contract/review/rows';
import type { TimelineKind } from '@draftshelf/domain/imports/import-timeline';
import { picturesOf } from '@draftshelf/domain/products/images';
import { countOf, formatClock, formatCount, formatDuration, formatMoment } from '../../../lib/intl.ts';
import type { Span } from '../../../ui/charts/spark.tsx';

/** 'Already': a push left the products alone because they have another id in the store. */
export function inStoreWords(inStore: number, total: number): string {
  if (inStore === total) {
    return total === 1
      ? 'The product is already in the store.'
      : `All ${formatCount(total)} are already in the store.`;
  }
  return `${formatCount(inStore)} of ${countOf(total, 'product')} ${inStore === 1 ? 'is' : 'are'} already in the store.`;
}

const names: Record<TimelineKind, string> = {
  read: 'Read',
  reread: 'Read again',
  waited: 'Waited for you',
  pushed: 'Pushed',
  retried: 'Retried',
  undone: 'Undone',
};

/** The classes of kinds.css. */
const kinds: Record<TimelineKind, string> = {
  read: 'read',
  reread: 'read',
  waited: 'idle',
  pushed: 'pushed',
  retried: 'pushed',
  undone: 'pushed',
};

export const spansOf = (timeline: ImportReport['timeline'], nowMs: number): Span[] =>
  timeline.map(({ kind, startedAt, endedAt }) => {
    const lengthMs = Math.max(0, (endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt));
    const took = formatDuration(lengthMs);
    return {
      kind: kinds[kind],
      name: names[kind],
      when: formatMoment(startedAt, nowMs),
      took: endedAt === null ? `${took} so far` : took,
      lengthMs,
    };
  });

type Draft = { product: number; storeUrl: string; title: string; picture: string };

const draftsMax = 3;

type PushedRow = Pick<Row, 'product' | 'values' | 'outcome' | 'image'>;

/** At most three created products whose picture loads. */
export function firstDrafts(rows: readonly PushedRow[]): Draft[] {
  const drafts = new Map<number, Draft>();
  for (const { product, values, outcome, image } of rows) {
    const picture = picturesOf(values)[0]?.src;
    const isShown = picture !== undefined && image?.state !== 'failed' && image?.state !== 'invalid';
    if (drafts.has(product) || !isShown || outcome?.result !== 'created' || outcome.storeUrl === null)
      continue;
    drafts.set(product, { product, storeUrl: outcome.storeUrl, title: values.title ?? '', picture });
    if (drafts.size === draftsMax) break;
  }
  return [...drafts.values()];
}

type Series = NonNullable<PushSeries>;

/** Two digits: '17/s', or '40/min' below one a second. */
export function rateWords(perSecond: number): string {
  if (perSecond > 0 && perSecond < 1) return `${formatCount(Math.max(1, Math.round(perSecond * 60)))}/min`;
  return `${formatCount(Number(perSecond.toPrecision(2)))}/s`;
}

/** Null where the push waited or was paused. */
export const ratesOf = ({ products, stepMs }: Series): (number | null)[] =>
  products.map((count) => (count === 0 ? null : (1000 * count) / stepMs));

/** '2:05 PM: 17/s, 120 products'. */
export function stepWords(series: Series): string[] {
  const startMs = Date.parse(series.startedAt);
  return series.products.map((count, at) => {
    const clock = formatClock(startMs + at * series.stepMs);
    if (count === 0) return `${clock}: nothing sent`;
    return `${clock}: ${rateWords((1000 * count) / series.stepMs)}, ${countOf(count, 'product')}`;
  });
}

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
