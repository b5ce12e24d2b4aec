import type { Stage } from '../imports/stages.ts';

/** Rates are measured over this many seconds. */
export const paceWindowSeconds = 20;
/** A rate needs at least this many seconds. */
const secondsMin = 3;
/** Work without records for this long has stopped. */
const stalledSeconds = 15;
/** After a gap without records of this length, the rate is measured again. */
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
  /** When a waiting import resumes; null: not known, or it does not wait. */
  waitsUntilMs: number | null;
  /** When the stage, or the import, was started. */
  startedMs: number;
  /** When the last product or row was recorded; null: none, or long ago. */
  lastMs: number | null;
  throughput: Throughput;
};

/**
 * starting: nothing is recorded yet; behind: others of the same stage are worked on meanwhile; stalled: nothing is
 * recorded although it should; ending: all is recorded, and the last step runs.
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
  /** When the last product or row is expected to be done; null if not known. */
  readyAtMs: number | null;
  /** Other imports that share the rate. */
  sharedWith: number;
  /** Time since which nothing is recorded; null unless it is stalled. */
  stalledSinceMs: number | null;
};

/** Facts about a stage apart from its import. Times are milliseconds since 1970. */
type StageFacts = {
  nowMs: number;
  /** All records of the stage, also of imports that have ended meanwhile. */
  throughput: Throughput;
  /** Products or rows per second to expect before anything is measured; null: not known. */
  expectedPerSecond: number | null;
};

/**
 * The pace of an import. `others`: the imports of the same stage. They share its rate in equal parts, because each
 * gets its next chunk in turn: so an import is done when the stage has done its work and as much of each other import.
 */
export function paceOf(work: StageWork, others: readonly StageWork[], facts: StageFacts): Pace {
  const { stage, done, total } = work;
  const left = Math.max(0, total - done);
  const beside = others.filter((other) => other.state === 'running' && other.done < other.total);
  const shared = left + beside.reduce((sum, other) => sum + Math.min(left, other.total - other.done), 0);
  const stageRate = rateOf(facts.throughput) ?? facts.expectedPerSecond;
  const state = stateOf(work, facts);
  const fromMs = goesOnMs(state, work, facts.nowMs);
  const isTimed = fromMs !== null && stageRate !== null && stageRate > 0 && left > 0;
  const perSecond = state === 'running' ? rateOf(work.throughput) : null;
  return {
    ...{ stage, state, done, total },
    perSecond: perSecond === null ? null : Number(perSecond.toPrecision(2)),
    readyAtMs: isTimed ? roundedTime(fromMs + (shared / stageRate) * 1000, facts.nowMs) : null,
    sharedWith: beside.length,
    stalledSinceMs: state === 'stalled' ? movedMs(work) : null,
  };
}

/** When the work goes on; null: not known. */
function goesOnMs(state: Pace['state'], { waitsUntilMs }: StageWork, nowMs: number): number | null {
  if (state === 'waiting') return waitsUntilMs === null ? null : Math.max(waitsUntilMs, nowMs);
  return state === 'starting' || state === 'behind' || state === 'running' ? nowMs : null;
}

function stateOf(work: StageWork, { nowMs, throughput }: StageFacts): Pace['state'] {
  if (work.state !== 'running') return work.state;
  // The file is still being split.
  if (work.total === 0) return 'starting';
  if (work.done >= work.total) return 'ending';
  const isRecent = nowMs - movedMs(work) < stalledSeconds * 1000;
  if (isRecent && work.lastMs !== null && work.lastMs >= work.startedMs) return 'running';
  if (throughput.slice(0, stalledSeconds).some((count) => count > 0)) return 'behind';
  return isRecent ? 'starting' : 'stalled';
}

/** When the last record was made, or else when the work was started. */
const movedMs = ({ lastMs, startedMs }: StageWork) => Math.max(lastMs ?? 0, startedMs);

/**
 * Products or rows per second since the last gap; null before enough is recorded. The slowest and the fastest quarter
 * of the seconds do not count, so that the burst with which a full budget of the store begins is no rate. Less than one
 * a second is averaged.
 */
export function rateOf(throughput: Throughput): number | null {
  const first = firstSecond(throughput);
  // The oldest second with a record may be a part of a second.
  if (first < secondsMin) return null;
  const seconds = throughput.slice(0, first);
  const sorted = seconds.toSorted((a, b) => a - b);
  const quarter = Math.floor(sorted.length / 4);
  const middle = sorted.slice(quarter, sorted.length - quarter);
  const mean = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const rate = (middle[0] ?? 0) >= 1 ? mean(middle) : mean(seconds);
  return rate > 0 ? rate : null;
}

/** The oldest second with a record after the last gap; -1 without records. */
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
 * Products per second to expect of a push before any is recorded: as the last pushes to the store had, else as its plan
 * refills the budget. Null if neither is known.
 */
export function expectedPushRate(known: {
  /** Products per second of the last pushes to the store. */
  lastPushes: number | null;
  /** Points per second of the store's plan. */
  restoreRate: number | null;
}): number | null {
  return known.lastPushes ?? (known.restoreRate === null ? null : known.restoreRate / pointsPerProduct);
}

const minuteMs = 60_000;

/** A time that does not jump with each measurement: to 5 s within two minutes, else to the minute. */
function roundedTime(timeMs: number, nowMs: number): number {
  const stepMs = timeMs - nowMs < 2 * minuteMs ? 5_000 : minuteMs;
  return Math.ceil(timeMs / stepMs) * stepMs;
}
