import type { Stage } from '../imports/stages.ts';

/** Rates are measured over this many seconds. */
export const paceWindowSeconds = 20;
/** Minimum number of seconds from which a rate is computed. */
const secondsMin = 3;
/** A stage without records for this many seconds counts as stalled. */
const stalledSeconds = 15;
/** The measurement of the rate begins again after a gap without records of this many seconds. */
const gapSeconds = 10;

/** Points of the store's budget that a product with one variant and one picture takes. */
export const pointsPerProduct = 14;

/** Products or rows recorded in each of the last seconds, the newest second first. */
export type Throughput = readonly number[];

/** The running stage of an import, in products (push) or rows. */
export type StageWork = {
  stage: Stage;
  done: number;
  total: number;
  state: 'running' | 'waiting' | 'paused';
  /** Time at which a waiting import resumes; null if unknown, or if the import does not wait. */
  waitsUntilMs: number | null;
  /** Time at which the stage, or the import, was started. */
  startedMs: number;
  /** Time at which the last product or row was recorded; null if there is none, or if it was long ago. */
  lastMs: number | null;
  throughput: Throughput;
};

/**
 * starting: nothing is recorded yet. behind: other imports of the stage are processed meanwhile. stalled: nothing is
 * recorded although it should be. ending: all is recorded, and the finalize runs.
 */
export const paceStates = [
  'starting',
  'running',
  'behind',
  'waiting',
  'paused',
  'stalled',
  'ending',
] as const;

/** The progress of an import's stage. */
export type Pace = {
  stage: Stage;
  state: (typeof paceStates)[number];
  done: number;
  total: number;
  /** Products or rows per second, with two digits; null if not known. */
  perSecond: number | null;
  /** Expected time at which the last product or row is done; null if unknown. */
  readyAtMs: number | null;
  /** Number of other imports that share the rate. */
  sharedWith: number;
  /** Time since which nothing has been recorded; null unless the stage is stalled. */
  stalledSinceMs: number | null;
};

/** Facts about a stage apart from its import. Times are milliseconds since 1970. */
type StageFacts = {
  nowMs: number;
  /** All records of the stage, also of imports that have ended. */
  throughput: Throughput;
  /** Expected products or rows per second before a rate is measured; null if unknown. */
  expectedPerSecond: number | null;
};

/**
 * The pace of an import. `others`: the imports of the same stage. They share its rate in equal parts, because each
 * gets its next chunk in turn: so an import is done when the stage has done its work and as much of each other import.
 */
export function computePace(work: StageWork, others: readonly StageWork[], facts: StageFacts): Pace {
  const { stage, done, total } = work;
  const left = Math.max(0, total - done);
  const beside = others.filter((other) => other.state === 'running' && other.done < other.total);
  const shared = left + beside.reduce((sum, other) => sum + Math.min(left, other.total - other.done), 0);
  const stageRate = computeRate(facts.throughput) ?? facts.expectedPerSecond;
  const state = stateOf(work, facts);
  const fromMs = goesOnMs(state, work, facts.nowMs);
  const isTimed = fromMs !== null && stageRate !== null && stageRate > 0 && left > 0;
  const perSecond = state === 'running' ? computeRate(work.throughput) : null;
  return {
    ...{ stage, state, done, total },
    perSecond: perSecond === null ? null : Number(perSecond.toPrecision(2)),
    readyAtMs: isTimed ? roundedTime(fromMs + (shared / stageRate) * 1000, facts.nowMs) : null,
    sharedWith: beside.length,
    stalledSinceMs: state === 'stalled' ? movedMs(work) : null,
  };
}

/** Time at which the work continues; null if unknown. */
function goesOnMs(state: Pace['state'], { waitsUntilMs }: StageWork, nowMs: number): number | null {
  if (state === 'waiting') return waitsUntilMs === null ? null : Math.max(waitsUntilMs, nowMs);
  return state === 'starting' || state === 'behind' || state === 'running' ? nowMs : null;
}

function stateOf(work: StageWork, { nowMs, throughput }: StageFacts): Pace['state'] {
  if (work.state !== 'running') return work.state;
  // While a file is being split, its total is 0.
  if (work.total === 0) return 'starting';
  if (work.done >= work.total) return 'ending';
  const isRecent = nowMs - movedMs(work) < stalledSeconds * 1000;
  if (isRecent && work.lastMs !== null && work.lastMs >= work.startedMs) return 'running';
  if (throughput.slice(0, stalledSeconds).some((count) => count > 0)) return 'behind';
  return isRecent ? 'starting' : 'stalled';
}

/** Time of the last record, else of the start. */
const movedMs = ({ lastMs, startedMs }: StageWork) => Math.max(lastMs ?? 0, startedMs);

/**
 * Products or rows per second since the last gap; null before enough is recorded. The slowest and the fastest quarter
 * of the seconds are left out, because a full budget of the store begins with a burst. Rates below one per second are
 * averaged.
 */
export function computeRate(throughput: Throughput): number | null {
  const first = firstSecond(throughput);
  // The oldest second with a record may be incomplete.
  if (first < secondsMin) return null;
  const seconds = throughput.slice(0, first);
  const sorted = seconds.toSorted((a, b) => a - b);
  const quarter = Math.floor(sorted.length / 4);
  const middle = sorted.slice(quarter, sorted.length - quarter);
  const mean = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const rate = (middle[0] ?? 0) >= 1 ? mean(middle) : mean(seconds);
  return rate > 0 ? rate : null;
}

/** Index of the oldest second with a record after the last gap; -1 if there are no records. */
function firstSecond(throughput: Throughput): number {
  let first = -1;
  for (const [second, count] of throughput.entries()) {
    if (count === 0) continue;
    if (first !== -1 && second - first > gapSeconds) break;
    first = second;
  }
  return first;
}

/**
 * Expected products per second of a push before any is recorded: the rate of the last pushes to the store, else the
 * rate at which the store's plan refills the budget. Null if neither is known.
 */
export function estimatePushRate(known: {
  /** Products per second of the last pushes to the store. */
  lastPushes: number | null;
  /** Points per second of the store's plan. */
  restoreRate: number | null;
}): number | null {
  return known.lastPushes ?? (known.restoreRate === null ? null : known.restoreRate / pointsPerProduct);
}

const minuteMs = 60_000;

/** Rounds a time to 5 s within the next two minutes, else to the minute, so that it does not change constantly. */
function roundedTime(timeMs: number, nowMs: number): number {
  const stepMs = timeMs - nowMs < 2 * minuteMs ? 5_000 : minuteMs;
  return Math.ceil(timeMs / stepMs) * stepMs;
}
