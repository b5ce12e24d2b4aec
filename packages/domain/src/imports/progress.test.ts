import { describe, expect, it } from 'vitest';
import { importStatuses } from './import-status.ts';
import { importProgress, type ProgressCounters } from './progress.ts';

const counters = (given: Partial<ProgressCounters>): ProgressCounters => ({
  status: 'processing',
  pausedFrom: null,
  failedIn: null,
  totalRows: 1000,
  parsedRows: 0,
  enrichRows: 0,
  enrichedRows: 0,
  pushTotal: 0,
  pushDone: 0,
  ...given,
});

describe('importProgress', () => {
  it.each(['queued', 'processed', 'completed'] as const)('is 100 in %s', (status) => {
    expect(importProgress(counters({ status }))).toBe(100);
  });

  it('never decreases during parse, enrich and finalize, and is 100 only at the end', () => {
    const walk: Partial<ProgressCounters>[] = [
      ...[0, 1, 500, 999, 1000].map((parsedRows) => ({ parsedRows })),
      ...[0, 10, 299, 300].map((enrichedRows) => ({ parsedRows: 1000, enrichRows: 300, enrichedRows })),
    ];
    const seen = walk.map((step) => importProgress(counters(step)));
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen[0]).toBe(0);
    expect(seen.at(-1)).toBeLessThanOrEqual(99);
    expect(seen.every(Number.isInteger)).toBe(true);
  });

  it('starts again at 0 while uploading and counts products', () => {
    const pushing = { status: 'uploading', parsedRows: 1000, pushTotal: 3 } as const;
    expect(importProgress(counters({ ...pushing, pushTotal: 0 }))).toBe(0);
    expect(importProgress(counters({ ...pushing, pushDone: 0 }))).toBe(0);
    expect(importProgress(counters({ ...pushing, pushDone: 1 }))).toBe(33);
    expect(importProgress(counters({ ...pushing, pushDone: 3 }))).toBe(99);
  });

  it('keeps the last value when paused, failed or cancelled', () => {
    const parsing = { parsedRows: 500 };
    const parsed = importProgress(counters(parsing));
    expect(importProgress(counters({ ...parsing, status: 'paused', pausedFrom: 'processing' }))).toBe(parsed);
    expect(importProgress(counters({ ...parsing, status: 'failed', failedIn: 'parse' }))).toBe(parsed);
    expect(importProgress(counters({ ...parsing, status: 'cancelled' }))).toBe(parsed);
    const pushing = { parsedRows: 1000, pushTotal: 4, pushDone: 1 };
    expect(importProgress(counters({ ...pushing, status: 'paused', pausedFrom: 'uploading' }))).toBe(25);
    expect(importProgress(counters({ ...pushing, status: 'failed', failedIn: 'push' }))).toBe(25);
    expect(importProgress(counters({ ...pushing, status: 'cancelled' }))).toBe(25);
    expect(importProgress(counters({ status: 'cancelled', parsedRows: 1000 }))).toBe(100);
  });

  it('is always a whole number from 0 to 100', () => {
    for (const status of importStatuses) {
      const progress = importProgress(
        counters({ status, totalRows: 0, parsedRows: 7, enrichedRows: 9, pushDone: 5, pushTotal: 2 }),
      );
      expect(Number.isInteger(progress) && progress >= 0 && progress <= 100).toBe(true);
    }
  });
});
