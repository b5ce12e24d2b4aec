import type { Stage } from '../imports/stages.ts';

/** Rates are measured over this many seconds. */
export const paceWindowSeconds = 20;
/** Minimum number of seconds from which a rate is computed. */
const secondsMin = 3;
/** A stage without records for this many seconds counts as stalled. */
const stalledSeconds = 15;
/** After this many seconds without records, the measurement of the rate begins again. */
const gapSeconds = 10;

/** Points of the store's rate limit that a product with one variant and one picture costs. */
export const pointsPerProduct = 14;

/** Products or rows recorded in each second, the newest second first. */
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
 * starting: nothing is recorded yet. behind: only other imports of the stage make progress. stalled: no import of the
 * stage makes progress. ending: everything is recorded, and finalize runs.
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
  /** Products or rows per second, rounded to two significant digits; null if not known. */
  perSecond: number | null;
  /** Expected time at which the last product or row is done; null if unknown. */
  readyAtMs: number | null;
  /** Number of other imports that share the rate. */
  sharedWith: number;
  /** Time since which nothing has been recorded; null unless the stage is stalled. */
  stalledSinceMs: number | null;
};

/** Facts about a stage across its imports. Times are milliseconds since 1970. */
type StageFacts = {
  nowMs: number;
  /** The throughput of all imports of the stage, including ended imports. */
  throughput: Throughput;
  /** Expected products or rows per second before a rate is measured; null if unknown. */
  expectedPerSecond: number | null;
};

/**
 * Computes the pace of an import. `others`: the stage's other imports. All share the stage's rate equally, because
 * they get chunks in turn. When this import is done, each other import has had as much work done, or all its work.
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

/** Returns the time at which the work continues; null if unknown. */
function goesOnMs(state: Pace['state'], { waitsUntilMs }: StageWork, nowMs: number): number | null {
  if (state === 'waiting') return waitsUntilMs === null ? null : Math.max(waitsUntilMs, nowMs);
  return state === 'starting' || state === 'behind' || state === 'running' ? nowMs : null;
}

function stateOf(work: StageWork, { nowMs, throughput }: StageFacts): Pace['state'] {
  if (work.state !== 'running') return work.state;
  // The total is 0 while the file is being split.
  if (work.total === 0) return 'starting';
  if (work.done >= work.total) return 'ending';
  const isRecent = nowMs - movedMs(work) < stalledSeconds * 1000;
  if (isRecent && work.lastMs !== null && work.lastMs >= work.startedMs) return 'running';
  if (throughput.slice(0, stalledSeconds).some((count) => count > 0)) return 'behind';
  return isRecent ? 'starting' : 'stalled';
}

/** Returns the time of the last record, else the start time. */
const movedMs = ({ lastMs, startedMs }: StageWork) => Math.max(lastMs ?? 0, startedMs);

/**
 * Returns products or rows per second since the last gap; null if too few seconds are recorded. The slowest and the
 * fastest quarter of the seconds are left out, because a push begins with a burst if the rate limit is unused. Rates
 * below one per second are averaged over all seconds.
 */
export function computeRate(throughput: Throughput): number | null {
  const first = firstSecond(throughput);
  // The oldest second with a record may be incomplete, so it is left out.
  if (first < secondsMin) return null;
  const seconds = throughput.slice(0, first);
  const sorted = seconds.toSorted((a, b) => a - b);
  const quarter = Math.floor(sorted.length / 4);
  const middle = sorted.slice(quarter, sorted.length - quarter);
  const mean = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const rate = (middle[0] ?? 0) >= 1 ? mean(middle) : mean(seconds);
  return rate > 0 ? rate : null;
}

/** Returns the index of the oldest second with a record since the last gap; -1 if there are no records. */
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
 * Returns the expected products per second of a push before any is recorded: the rate of the last pushes to the store,
 * else the rate that the store's plan allows. Null if neither is known.
 */
export function estimatePushRate(known: {
  /** Products per second of the last pushes to the store. */
  lastPushes: number | null;
  /** Points by which the store's plan refills its rate limit per second. */
  restoreRate: number | null;
}): number | null {
  return known.lastPushes ?? (known.restoreRate === null ? null : known.restoreRate / pointsPerProduct);
}

const minuteMs = 60_000;

/** Rounds times in the next two minutes up to 5 s, others up to a minute, so that they do not change constantly. */
function roundedTime(timeMs: number, nowMs: number): number {
  const stepMs = timeMs - nowMs < 2 * minuteMs ? 5_000 : minuteMs;
  return Math.ceil(timeMs / stepMs) * stepMs;
}
