import { describe, expect, test } from 'vitest';
import {
  nextPace,
  noPace,
  type Pace,
  paceWords,
  rangeWords,
  type Sample,
  sampleOf,
  sentProducts,
} from './pace.ts';

const none = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };

/** The pace after polls every two seconds, with these products done of `total`. */
function after(done: readonly number[], total = 600): { pace: Pace; nowMs: number } {
  const samples = done.map((count, at): Sample => ({ atMs: at * 2000, done: count, total, products: count }));
  return { pace: samples.reduce(nextPace, noPace), nowMs: (done.length - 1) * 2000 };
}

const wordsAfter = (done: readonly number[], total?: number) => {
  const { pace, nowMs } = after(done, total);
  return paceWords(pace, nowMs);
};

describe('the time left', () => {
  test('is a range in the unit that fits', () => {
    expect(rangeWords(-2_000, 8_000)).toBe('a few seconds left');
    expect(rangeWords(22_000, 34_000)).toBe('about 20–40 s left');
    expect(rangeWords(3_000, 12_000)).toBe('about 10–20 s left');
    expect(rangeWords(125_000, 170_000)).toBe('about 2–3 min left');
    expect(rangeWords(61_000, 119_000)).toBe('about 1–2 min left');
    expect(rangeWords(20_000, 62_000)).toBe('about 20–70 s left');
    expect(rangeWords(50_000, 95_000)).toBe('about 1–2 min left');
    expect(rangeWords(3_700_000, 7_100_000)).toBe('about 1–2 h left');
  });

  test('is not said in the first seconds', () => {
    expect(wordsAfter([0])).toBe('');
    expect(wordsAfter([0, 20, 40])).toBe('');
    expect(wordsAfter([0, 20, 40, 60])).toBe('10/s · about 40–70 s left');
  });

  test('counts down and stays the same estimate while the rate varies a little', () => {
    const steady = [0, 20, 41, 59, 81, 100, 119, 141, 160];
    const { pace } = after(steady);
    const { pace: earlier } = after(steady.slice(0, 4));
    expect(pace.end).toEqual(earlier.end);
  });

  test('changes when the rate does', () => {
    const slower = [0, 40, 80, 120, 125, 130, 135, 140, 145, 150, 155];
    const [before, now] = [after(slower.slice(0, 4)).pace.end, after(slower).pace.end];
    expect(now?.fromMs).toBeGreaterThan(before?.toMs ?? 0);
  });

  test('always contains the true end of a steady stage', () => {
    for (const rate of [3, 20, 150]) {
      const total = rate * 60;
      const done = Array.from({ length: 12 }, (_, at) => at * rate);
      const { end } = after(done, total).pace;
      expect(end?.fromMs).toBeLessThan(120_000);
      expect(end?.toMs).toBeGreaterThan(120_000);
    }
  });

  test('is not said when nothing has moved for a while', () => {
    const { pace, nowMs } = after([0, 20, 40, 60, 80]);
    expect(paceWords(pace, nowMs + 14_000)).not.toBe('');
    expect(paceWords(pace, nowMs + 16_000)).toBe('');
  });

  test('starts over with another stage', () => {
    const { pace } = after([0, 20, 40, 60, 80]);
    expect(nextPace(pace, { atMs: 10_000, done: 0, total: 600, products: 0 })).toMatchObject({ end: null });
    expect(nextPace(pace, null)).toBe(noPace);
  });
});

describe('a rate', () => {
  test('has two significant digits, and is per minute if it is slow', () => {
    const many = Array.from({ length: 6 }, (_, at) => at * 2_468);
    expect(wordsAfter(many, 1_000_000)).toMatch(/^1,200\/s · /);
    expect(wordsAfter([0, 1, 1, 2, 2, 3, 3], 100)).toMatch(/^15\/min · /);
  });
});

describe('a sample', () => {
  const record = {
    status: 'uploading',
    progress: 10,
    waitingFor: null,
    processedProducts: 600,
    totalProducts: 600,
    outcomes: { ...none, created: 58, skipped: 4 },
  };

  test('counts products of a first push, and percent of later ones', () => {
    expect(sampleOf(record, 1)).toEqual({ atMs: 1, done: 62, total: 600, products: 62 });
    const again = { ...record, outcomes: { ...none, created: 600 } };
    expect(sentProducts(again)).toBeNull();
    expect(sampleOf(again, 1)).toEqual({ atMs: 1, done: 10, total: 100, products: 0 });
  });

  test('is there only while something runs', () => {
    expect(sampleOf({ ...record, waitingFor: 'The store is busy.' }, 1)).toBeNull();
    for (const status of ['queued', 'paused', 'completed', 'failed', 'weird']) {
      expect(sampleOf({ ...record, status }, 1)).toBeNull();
    }
    expect(sampleOf({ ...record, status: 'processing' }, 1)).toMatchObject({ done: 10, total: 100 });
  });
});
