import type { ShownImport } from '../../api/imports.ts';
import { formatCount } from '../../lib/intl.ts';

/** Progress of an import at one moment, in products or, if their number is not enough, in percent. */
export type Sample = { atMs: number; done: number; total: number; products: number };

/** The last samples of a running stage, and when it is expected to end. */
export type Pace = { samples: readonly Sample[]; end: { fromMs: number; toMs: number } | null };

export const noPace: Pace = { samples: [], end: null };

/** Rates are measured over the last 30 seconds. */
const windowMs = 30_000;
/** Nothing is said before this time and this many samples. */
const quietMs = 6_000;
const samplesMin = 4;
/** A stage that has not moved for this long has no rate. */
const stalledMs = 15_000;
/** A rate may be this much higher or lower than measured. */
const tolerance = 0.15;

/** The sample of a running import; null if nothing runs or the import waits for something. */
export function sampleOf(record: SampledImport, atMs: number): Sample | null {
  if (record.waitingFor !== null) return null;
  if (record.status === 'processing') {
    return { atMs, done: record.progress, total: 100, products: record.processedProducts };
  }
  if (record.status !== 'uploading') return null;
  const sent = sentProducts(record);
  if (sent === null) return { atMs, done: record.progress, total: 100, products: 0 };
  return { atMs, done: sent, total: record.totalProducts, products: sent };
}

/** The fields that the pace is measured by. */
export type SampledImport = Pick<
  ShownImport,
  'status' | 'progress' | 'waitingFor' | 'processedProducts' | 'totalProducts' | 'outcomes'
>;

/**
 * Number of products that a running push has decided; null if the counters include outcomes of
 * an earlier push.
 */
export function sentProducts(
  record: Pick<ShownImport, 'progress' | 'totalProducts' | 'outcomes'>,
): number | null {
  const decided = Object.values(record.outcomes).reduce((sum, count) => sum + count, 0);
  const percent = (100 * decided) / Math.max(1, record.totalProducts);
  return Math.abs(percent - record.progress) <= 2 ? decided : null;
}

/**
 * Adds a sample. The expected end stays as it is as long as the new estimate lies within it, so that the time left
 * counts down and does not jump.
 */
export function nextPace(pace: Pace, sample: Sample | null): Pace {
  if (sample === null) return noPace;
  const last = pace.samples.at(-1);
  const isSameStage = last !== undefined && last.total === sample.total && last.done <= sample.done;
  const samples = [...(isSameStage ? pace.samples : []), sample].filter(
    ({ atMs }) => atMs >= sample.atMs - windowMs,
  );
  const end = endOf(samples);
  const known = isSameStage ? pace.end : null;
  if (end === null || known === null) return { samples, end };
  const middle = (end.fromMs + end.toMs) / 2;
  return { samples, end: middle >= known.fromMs && middle <= known.toMs ? known : end };
}

/** When a stage ends, by the slowest and the fastest part of its samples. */
function endOf(samples: readonly Sample[]): Pace['end'] {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || samples.length < samplesMin || last.atMs - first.atMs < quietMs) return null;
  const middle = samples[Math.floor(samples.length / 2)] ?? first;
  const rates = [
    [first, last],
    [first, middle],
    [middle, last],
  ].map(([from, to]) => (from && to ? (to.done - from.done) / Math.max(1, to.atMs - from.atMs) : 0));
  const overall = rates[0] ?? 0;
  if (overall <= 0) return null;
  // A half without progress would make the range endless.
  const slowest = Math.max(Math.min(...rates), overall / 2) * (1 - tolerance);
  const fastest = Math.min(Math.max(...rates), overall * 2) * (1 + tolerance);
  const left = last.total - last.done;
  return { fromMs: last.atMs + left / fastest, toMs: last.atMs + left / slowest };
}

/** '45/s · about 2–3 min left'; '' while nothing can be said. */
export function paceWords({ samples, end }: Pace, nowMs: number): string {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || end === null || isStalled(samples, nowMs)) return '';
  const perSecond = ((last.products - first.products) * 1000) / Math.max(1, last.atMs - first.atMs);
  const rate = rateWords(perSecond);
  const left = rangeWords(end.fromMs - nowMs, end.toMs - nowMs);
  return rate === '' ? left : `${rate} · ${left}`;
}

function isStalled(samples: readonly Sample[], nowMs: number): boolean {
  const done = samples.at(-1)?.done;
  const since = samples.find((sample) => sample.done === done);
  return since === undefined || nowMs - since.atMs > stalledMs;
}

/** Two significant digits: a rate that changes in every poll cannot be read. */
function rateWords(perSecond: number): string {
  if (perSecond <= 0) return '';
  if (perSecond < 1) return `${formatCount(Math.max(1, Math.round(perSecond * 60)))}/min`;
  return `${formatCount(Number(perSecond.toPrecision(2)))}/s`;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Up to here, seconds say more than minutes. */
const secondsShownMs = 90_000;

/** A range for the time left in the unit that fits: 'about 20–40 s left', 'about 2–3 min left'. */
export function rangeWords(fromMs: number, toMs: number): string {
  if (toMs <= 10_000) return 'a few seconds left';
  if (toMs <= secondsShownMs) return range(fromMs / 1000, toMs / 1000, { step: 10, unit: 's' });
  if (toMs <= hourMs) return range(fromMs / minuteMs, toMs / minuteMs, { step: 1, unit: 'min' });
  return range(fromMs / hourMs, toMs / hourMs, { step: 1, unit: 'h' });
}

function range(from: number, to: number, { step, unit }: { step: number; unit: string }): string {
  const high = Math.ceil(to / step) * step;
  const low = Math.max(step, Math.floor(from / step) * step);
  return low >= high ? `about ${high} ${unit} left` : `about ${low}–${high} ${unit} left`;
}
