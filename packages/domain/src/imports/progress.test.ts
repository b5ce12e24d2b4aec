import { describe, expect, it } from 'vitest';
import { importStatuses } from './import-status.ts';
import { importProgress, type ProgressCounters } from './progress.ts';

const counters = (given: Partial<ProgressCounters>): ProgressCounters => ({
  status: 'processing',
  paused_from: null,
  failed_in: null,
  total_rows: 1000,
  parsed_rows: 0,
  enrich_rows: 0,
  enriched_rows: 0,
  push_total: 0,
  push_done: 0,
  ...given,
});

describe('importProgress', () => {
  it.each(['queued', 'processed', 'completed'] as const)('is 100 in %s', (status) => {
    expect(importProgress(counters({ status }))).toBe(100);
  });

  it('never decreases during parse, enrich and finalize, and is 100 only at the end', () => {
    const walk: Partial<ProgressCounters>[] = [
      ...[0, 1, 500, 999, 1000].map((parsed_rows) => ({ parsed_rows })),
      ...[0, 10, 299, 300].map((enriched_rows) => ({ parsed_rows: 1000, enrich_rows: 300, enriched_rows })),
    ];
    const seen = walk.map((step) => importProgress(counters(step)));
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen[0]).toBe(0);
    expect(seen.at(-1)).toBeLessThanOrEqual(99);
    expect(seen.every(Number.isInteger)).toBe(true);
  });

  it('starts again at 0 while uploading and counts products', () => {
    const pushing = { status: 'uploading', parsed_rows: 1000, push_total: 3 } as const;
    expect(importProgress(counters({ ...pushing, push_total: 0 }))).toBe(0);
    expect(importProgress(counters({ ...pushing, push_done: 0 }))).toBe(0);
    expect(importProgress(counters({ ...pushing, push_done: 1 }))).toBe(33);
    expect(importProgress(counters({ ...pushing, push_done: 3 }))).toBe(99);
  });

  it('keeps the last value when paused, failed or cancelled', () => {
    const parsing = { parsed_rows: 500 };
    const parsed = importProgress(counters(parsing));
    expect(importProgress(counters({ ...parsing, status: 'paused', paused_from: 'processing' }))).toBe(
      parsed,
    );
    expect(importProgress(counters({ ...parsing, status: 'failed', failed_in: 'parse' }))).toBe(parsed);
    expect(importProgress(counters({ ...parsing, status: 'cancelled' }))).toBe(parsed);
    const pushing = { parsed_rows: 1000, push_total: 4, push_done: 1 };
    expect(importProgress(counters({ ...pushing, status: 'paused', paused_from: 'uploading' }))).toBe(25);
    expect(importProgress(counters({ ...pushing, status: 'failed', failed_in: 'push' }))).toBe(25);
    expect(importProgress(counters({ ...pushing, status: 'cancelled' }))).toBe(25);
    expect(importProgress(counters({ status: 'cancelled', parsed_rows: 1000 }))).toBe(100);
  });

  it('is always a whole number from 0 to 100', () => {
    for (const status of importStatuses) {
      const progress = importProgress(
        counters({ status, total_rows: 0, parsed_rows: 7, enriched_rows: 9, push_done: 5, push_total: 2 }),
      );
      expect(Number.isInteger(progress) && progress >= 0 && progress <= 100).toBe(true);
    }
  });
});
