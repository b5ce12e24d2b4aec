import { describe, expect, test } from 'vitest';
import { computePace, computeRate, estimatePushRate, type StageWork, type Throughput } from './pace.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const seconds = (count: number, perSecond: number): Throughput =>
  Array.from({ length: count }, () => perSecond);
const none: Throughput = seconds(20, 0);

const work = (set: Partial<StageWork> = {}): StageWork => ({
  stage: 'push',
  done: 401,
  total: 900,
  state: 'running',
  waitsUntilMs: null,
  startedMs: nowMs - 30_000,
  lastMs: null,
  throughput: none,
  ...set,
});

type Facts = Partial<Parameters<typeof computePace>[2]>;
const paceAt = (set: Partial<StageWork>, others: readonly StageWork[] = [], facts: Facts = {}) => {
  const secondsAgo = (set.throughput ?? none).findIndex((count) => count > 0);
  const one = work({ lastMs: secondsAgo === -1 ? null : nowMs - secondsAgo * 1000, ...set });
  return computePace(one, others, { nowMs, throughput: one.throughput, expectedPerSecond: null, ...facts });
};
const inSeconds = (readyAtMs: number | null) => (readyAtMs === null ? null : (readyAtMs - nowMs) / 1000);

describe('the rate', () => {
  test('is the mean of the seconds in the middle, so that a burst at the start is none', () => {
    expect(computeRate(seconds(20, 17))).toBe(17);
    expect(computeRate([...seconds(10, 7), 71, 71])).toBe(7);
  });

  test('needs three full seconds', () => {
    expect(computeRate(none)).toBeNull();
    expect(computeRate([17, 17, 17])).toBeNull();
    expect(computeRate([17, 17, 17, 3])).toBe(17);
  });

  test('below one a second is averaged over all seconds', () => {
    expect(computeRate([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1])).toBeCloseTo(0.3);
  });

  test('falls while nothing is throughput, and begins again after a gap', () => {
    const paused = [...seconds(5, 4), ...seconds(11, 0), ...seconds(4, 90)];
    expect(computeRate(paused)).toBe(4);
    expect(computeRate([...seconds(8, 0), ...seconds(12, 10)])).toBeLessThan(10);
  });
});

describe('the pace of an import', () => {
  test('has rate and expected end', () => {
    const pace = paceAt({ throughput: seconds(20, 17) });
    expect(pace).toMatchObject({ state: 'running', done: 401, total: 900, perSecond: 17, sharedWith: 0 });
    expect(inSeconds(pace.readyAtMs)).toBe(30);
  });

  test('names its rate with two digits, and a far end to the minute', () => {
    const pace = paceAt({
      done: 1_000,
      total: 100_000,
      throughput: [...seconds(10, 17), ...seconds(10, 18)],
    });
    expect(pace.perSecond).toBe(17);
    expect(inSeconds(pace.readyAtMs)).toBe(95 * 60);
  });

  test('before anything is sent is the one of earlier pushes, if there are any', () => {
    const starting = { done: 0, startedMs: nowMs - 2_000 };
    expect(paceAt(starting)).toMatchObject({ state: 'starting', perSecond: null, readyAtMs: null });
    const expected = paceAt(starting, [], { expectedPerSecond: 10 });
    expect(expected).toMatchObject({ state: 'starting', perSecond: null });
    expect(inSeconds(expected.readyAtMs)).toBe(90);
  });

  test('while it waits for the store has no rate, and an end only if the wait has one', () => {
    const waiting = { state: 'waiting', throughput: seconds(20, 10) } as const;
    expect(paceAt(waiting)).toMatchObject({ state: 'waiting', perSecond: null, readyAtMs: null });
    const until = paceAt({ ...waiting, waitsUntilMs: nowMs + 40_000 });
    expect(inSeconds(until.readyAtMs)).toBe(90);
    const past = paceAt({ ...waiting, waitsUntilMs: nowMs - 40_000 });
    expect(inSeconds(past.readyAtMs)).toBe(50);
  });

  test('of a paused import has neither', () => {
    const paused = paceAt({ state: 'paused', throughput: seconds(20, 10) });
    expect(paused).toMatchObject({ state: 'paused', done: 401, perSecond: null, readyAtMs: null });
  });

  test('counts as much of each other import as it has left itself', () => {
    const small = work({ done: 0, total: 100 });
    const large = work({ done: 0, total: 10_000 });
    const throughput = seconds(20, 5);
    const facts = { throughput: seconds(20, 15) };
    const pace = paceAt({ done: 0, total: 500, throughput }, [small, large], facts);
    expect(pace).toMatchObject({ state: 'running', perSecond: 5, sharedWith: 2 });
    // 500 of its own, 100 of the small one, 500 of the large one.
    expect(inSeconds(pace.readyAtMs)).toBe(75);
  });

  test('does not count others that wait, are paused or end', () => {
    const others = [work({ state: 'waiting' }), work({ state: 'paused' }), work({ done: 900 })];
    const pace = paceAt({ throughput: seconds(20, 17) }, others);
    expect(pace.sharedWith).toBe(0);
    expect(inSeconds(pace.readyAtMs)).toBe(30);
  });

  test('is behind while only others are worked on', () => {
    const other = work({ done: 0, total: 100, throughput: seconds(20, 20) });
    const pace = paceAt({ done: 0, total: 100 }, [other], { throughput: other.throughput });
    expect(pace).toMatchObject({ state: 'behind', perSecond: null, sharedWith: 1, stalledSinceMs: null });
    expect(inSeconds(pace.readyAtMs)).toBe(10);
  });

  test('is stalled when nothing was throughput for 15 seconds, since its last record', () => {
    expect(paceAt({ throughput: [...seconds(14, 0), 9, 9] }).state).toBe('running');
    const stalled = paceAt({ throughput: [...seconds(17, 0), 9, 9] }, [], { expectedPerSecond: 10 });
    expect(stalled).toMatchObject({ state: 'stalled', perSecond: null, readyAtMs: null });
    expect(inSeconds(stalled.stalledSinceMs)).toBe(-17);
    expect(inSeconds(paceAt({}).stalledSinceMs)).toBe(-30);
    expect(
      inSeconds(paceAt({ lastMs: nowMs - 3_600_000, startedMs: nowMs - 7_200_000 }).stalledSinceMs),
    ).toBe(-3600);
  });

  test('has no end once all is sent, or while the rate is not known', () => {
    expect(paceAt({ done: 0, total: 0 })).toMatchObject({ state: 'starting', readyAtMs: null });
    expect(paceAt({ done: 900, throughput: seconds(20, 17) })).toMatchObject({
      state: 'ending',
      readyAtMs: null,
    });
    expect(paceAt({ throughput: [3] })).toMatchObject({ state: 'running', perSecond: null, readyAtMs: null });
  });
});

test('the first push to a store is expected to go as fast as its plan allows', () => {
  expect(estimatePushRate({ lastPushes: 12, restoreRate: 100 })).toBe(12);
  expect(estimatePushRate({ lastPushes: null, restoreRate: 140 })).toBe(10);
  expect(estimatePushRate({ lastPushes: null, restoreRate: null })).toBeNull();
});
