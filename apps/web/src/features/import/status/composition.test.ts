import { expect, test } from 'vitest';
import { compositionOf, countUploaded, partWords } from './composition.tsx';

const none = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
const counts = { failedIn: null, outcomes: none, validProducts: 37, warningProducts: 2, errorProducts: 1 };

const words = (record: Partial<Parameters<typeof compositionOf>[0]> & { status: string }) =>
  compositionOf({ ...counts, ...record }).map(partWords);

test('before a push an import consists of its classes', () => {
  expect(words({ status: 'queued' })).toEqual(['37 valid', '2 warnings', '1 error']);
  expect(words({ status: 'processed', warningProducts: 0, errorProducts: 0 })).toEqual(['37 valid']);
});

test('after a push it consists of its outcomes, also if none succeeded', () => {
  const outcomes = { ...none, created: 1_228, unchanged: 3, skipped: 12 };
  expect(words({ status: 'completed', outcomes })).toEqual(['1,228 created', '3 unchanged', '12 skipped']);
  const lost = { ...none, skipped: 2, failed: 1 };
  expect(words({ status: 'failed', failedIn: 'push', outcomes: lost })).toEqual(['2 skipped', '1 failed']);
});

test.each(['processing', 'uploading', 'paused', 'cancelled', 'weird'])('%s has no parts', (status) => {
  expect(words({ status, outcomes: { ...none, created: 5 } })).toEqual([]);
});

test('an import that failed before its push has no parts', () => {
  expect(words({ status: 'failed', failedIn: 'parse' })).toEqual([]);
});

test('unchanged products are not uploaded', () => {
  const outcomes = { ...none, created: 2, updated: 1, unchanged: 4, skipped: 1 };
  expect(countUploaded({ createdProducts: 7, outcomes })).toBe(3);
});
