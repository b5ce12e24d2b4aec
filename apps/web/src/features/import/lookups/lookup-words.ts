import type { Enrichment } from '@draftshelf/contract/imports/enrichment';
import type { ValuesSample } from '@draftshelf/contract/reading/values-sample';
import type { Row } from '@draftshelf/contract/review/rows';
import { countOf, formatCount, formatDuration, formatExactTime, formatMoment } from '../../../lib/intl.ts';

const fieldNames: Record<string, string> = {
  image: 'Images',
  vendor: 'Brands',
  description: 'Descriptions',
  type: 'Types',
};

export const coverageName = (field: string): string => fieldNames[field] ?? field;

/** Shares of products with a value: in the file, and after look-ups. Example: '12 % → 83 %'. */
export function coverageWords({ products, filled, found }: Enrichment['coverage'][number]): string {
  const share = (count: number) => `${products === 0 ? 0 : Math.floor((100 * count) / products)} %`;
  return found === 0 ? share(filled) : `${share(filled)} → ${share(filled + found)}`;
}

type Waiting = Enrichment['waiting'][number];

export function imageLookupWords(
  { until, because }: Pick<Waiting, 'until' | 'because'>,
  nowMs: number,
): string {
  if (until === null) return 'Image lookup is running';
  const moment = formatMoment(until, nowMs);
  return because === 'quota'
    ? `Image lookup waits for quota until ${moment}`
    : `Image lookup tries again at ${moment}`;
}

/** Example: 'UPCitemdb, 6 a minute: 31 products left, about 5 min'. */
export function sourceWaitingWords(waiting: Waiting, nowMs: number): string {
  const left = `${countOf(waiting.products, 'product')} left`;
  const time = leftWords(waiting, nowMs);
  return `${waiting.source}, ${quotaWords(waiting)}: ${time === '' ? left : `${left}, ${time}`}`;
}

export const allWaitingWords = (waiting: readonly Waiting[], nowMs: number): string =>
  `Looking up: ${waiting.map((source) => sourceWaitingWords(source, nowMs)).join(' · ')}.`;

/** Example: '31 look-ups are running, about 5 min. …'. Null if no look-up is running. */
export function describeRunningLookups(waiting: readonly Waiting[], nowMs: number): string | null {
  if (waiting.length === 0) return null;
  const most = Math.max(...waiting.map(({ products }) => products));
  const ends = waiting.map(({ readyAt }) => readyAt).filter((readyAt) => readyAt !== null);
  const last = Math.max(...ends.map((readyAt) => Date.parse(readyAt)));
  const time = ends.length < waiting.length ? '' : `, ${aboutWords(last - nowMs)}`;
  return `${countOf(most, 'look-up is', 'look-ups are')} running${time}. Push again when they have ended, to send what they find.`;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Example: '6 a minute'. */
export function quotaWords({ perWindow, windowMs }: Pick<Waiting, 'perWindow' | 'windowMs'>): string {
  const calls = formatCount(perWindow);
  if (windowMs === minuteMs) return `${calls} a minute`;
  return windowMs === hourMs ? `${calls} an hour` : `${calls} in ${formatDuration(windowMs)}`;
}

/** Explains why a source is not called now. The caller appends the time. `left`: number of calls left today. */
export function blockedSourceWords(
  blockedBecause: 'quota' | 'failure' | null,
  quota: Pick<Waiting, 'perWindow' | 'windowMs'> & { left: number },
): string {
  if (blockedBecause === 'failure') return 'No answer. Asked again at';
  if (quota.left === 0) return 'All calls of the day are used. Asked again at';
  return `${quotaWords(quota)} are allowed. Asked again at`;
}

function leftWords({ until, because, readyAt }: Waiting, nowMs: number): string {
  if (because === 'failure' || because === 'retry') {
    return until === null ? '' : `no answer, asked again at ${formatMoment(until, nowMs)}`;
  }
  if (readyAt !== null) return aboutWords(Date.parse(readyAt) - nowMs);
  return until === null ? '' : `asked again at ${formatMoment(until, nowMs)}, when calls are free`;
}

function aboutWords(leftMs: number): string {
  if (leftMs < minuteMs) return 'less than a minute';
  if (leftMs < hourMs) return `about ${Math.round(leftMs / minuteMs)} min`;
  return `about ${Math.round(leftMs / hourMs)} h`;
}

const provenanceWords = ({ source, at, attribution }: NonNullable<Row['found']>[string]): string =>
  `From ${source}, ${formatExactTime(at)}${attribution === null ? '' : ` · ${attribution}`}`;

export function foundValueWords(row: Row, field: string): string {
  const from = row.found?.[field];
  return from === undefined ? 'Taken from another column of this row.' : provenanceWords(from);
}

type Budget = { points: number; maximum: number; restoreRate: number; productPoints: number };

/** Example: '1,950 of 2,000 points left'. */
export const budgetWords = ({ points, maximum }: Budget): string =>
  `${formatCount(Math.floor(points))} of ${formatCount(maximum)} points left`;

/** Example: 'About 7 products a second.' */
export function refillRateWords({ restoreRate, productPoints }: Budget): string {
  const products = restoreRate / productPoints;
  const count = products < 10 ? Number(products.toFixed(1)) : Math.round(products);
  return `About ${formatCount(count)} ${count === 1 ? 'product' : 'products'} a second.`;
}

type Coverage = Enrichment['coverage'][number];
type CheckedPictures = ValuesSample['pictures'];

/** `broken`: number of products whose pictures do not load. `filled` does not include them. */
type ShownCoverage = Coverage & { broken: number };

/** Estimates how many products have broken pictures, from the share of broken pictures in the sample. */
export function estimateCoverage(coverage: Coverage, pictures: CheckedPictures | undefined): ShownCoverage {
  const { field, filled, found } = coverage;
  if (field !== 'image' || pictures === undefined || pictures.broken === 0) return { ...coverage, broken: 0 };
  const { loading, broken: bad, unchecked } = pictures;
  const broken = Math.min(filled, Math.round(((filled + found) * bad) / (loading + bad + unchecked)));
  return { ...coverage, filled: filled - broken, broken };
}

export const coverageParts = ({
  filled,
  found,
  broken,
}: ShownCoverage): { kind: string; count: number }[] => [
  { kind: 'idle', count: filled },
  { kind: 'found', count: found },
  { kind: 'broken', count: broken },
];

/** Example: 'None of 52 checked pictures loads, most of them from example.com.' Null if all pictures load. */
export function brokenPicturesWords(pictures: CheckedPictures, brokenHost: string | null): string | null {
  const checked = pictures.loading + pictures.broken;
  if (pictures.broken === 0) return null;
  const host = brokenHost === null ? '' : `, most of them from ${brokenHost}`;
  if (pictures.loading === 0) {
    return checked === 1
      ? 'The only checked picture doesn’t load.'
      : `None of ${formatCount(checked)} checked pictures loads${host}.`;
  }
  return `${formatCount(pictures.broken)} of ${formatCount(checked)} checked pictures ${pictures.broken === 1 ? 'doesn’t' : 'don’t'} load${host}.`;
}
