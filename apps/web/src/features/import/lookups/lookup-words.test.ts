import { expect, it, test } from 'vitest';
import {
  allWaitingWords,
  blockedSourceWords,
  brokenPicturesWords,
  budgetWords,
  coverageParts,
  coverageWords,
  describeRunningLookups,
  estimateCoverage,
  imageLookupWords,
  refillRateWords,
  sourceWaitingWords,
} from './lookup-words.ts';

it('coverage is the share before and after', () => {
  expect(coverageWords({ field: 'image', products: 100, filled: 12, found: 71 })).toBe('12 % → 83 %');
  expect(coverageWords({ field: 'image', products: 3, filled: 2, found: 0 })).toBe('66 %');
  expect(coverageWords({ field: 'image', products: 0, filled: 0, found: 0 })).toBe('0 %');
});

const nowMs = new Date(2026, 4, 1, 13, 0).getTime();

it('a row that waits says for what and until when', () => {
  const until = new Date(2026, 4, 1, 14, 5).toISOString();
  expect(imageLookupWords({ until, because: 'quota' }, nowMs)).toMatch(
    /^Image lookup waits for quota until 2:05.PM$/,
  );
  expect(imageLookupWords({ until, because: 'retry' }, nowMs)).toMatch(
    /^Image lookup tries again at 2:05.PM$/,
  );
  expect(imageLookupWords({ until: null, because: null }, nowMs)).toBe('Image lookup is running');
});

const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();
const waiting = {
  ...{ source: 'UPCitemdb', products: 31, until: at(1), because: 'quota' },
  ...{ perWindow: 6, windowMs: 60_000, readyAt: at(5) },
};
const words = (set: Partial<typeof waiting> | { readyAt: null; until?: string | null }) =>
  sourceWaitingWords({ ...waiting, ...set }, nowMs);

it('a source that waits has its quota, the products that are left, and the time that they take', () => {
  expect(words({})).toBe('UPCitemdb, 6 a minute: 31 products left, about 5 min');
  expect(words({ products: 1, readyAt: at(0.5) })).toBe(
    'UPCitemdb, 6 a minute: 1 product left, less than a minute',
  );
  expect(words({ readyAt: at(180) })).toMatch(/ about 3 h$/);
  expect(words({ windowMs: 3_600_000 })).toMatch(/^UPCitemdb, 6 an hour: /);
  expect(words({ windowMs: 90_000 })).toMatch(/^UPCitemdb, 6 in 1m 30s: /);
});

it('a source without calls, or that does not answer, has the time when it is asked again', () => {
  expect(words({ readyAt: null, until: at(65) })).toMatch(
    /31 products left, asked again at 2:05.PM, when calls are free$/,
  );
  expect(words({ readyAt: null, until: null })).toMatch(/31 products left$/);
  expect(words({ because: 'failure', until: at(65) })).toMatch(/left, no answer, asked again at 2:05.PM$/);
});

it('a source that is not asked now says whether its window, its day or a failure is the reason', () => {
  const quota = { perWindow: 6, windowMs: 60_000, left: 82 };
  expect(blockedSourceWords('quota', quota)).toBe('6 a minute are allowed. Asked again at');
  expect(blockedSourceWords('quota', { ...quota, left: 0 })).toBe(
    'All calls of the day are used. Asked again at',
  );
  expect(blockedSourceWords('failure', quota)).toBe('No answer. Asked again at');
});

it('a push says how many look-ups are running, and how long the slowest source takes', () => {
  const slow = { ...waiting, products: 40, readyAt: at(8) };
  expect(describeRunningLookups([], nowMs)).toBeNull();
  expect(describeRunningLookups([waiting, slow], nowMs)).toBe(
    '40 look-ups are running, about 8 min. Push again when they have ended, to send what they find.',
  );
  expect(describeRunningLookups([slow, { ...waiting, products: 1, readyAt: null }], nowMs)).toMatch(
    /^40 look-ups are running\. Push again/,
  );
  expect(describeRunningLookups([{ ...waiting, products: 1 }], nowMs)).toMatch(
    /^1 look-up is running, about 5 min\./,
  );
});

it('all sources are in one line', () => {
  const other = { ...waiting, source: 'Open Products Facts', products: 12, perWindow: 100 };
  expect(allWaitingWords([waiting, other], nowMs)).toBe(
    'Looking up: UPCitemdb, 6 a minute: 31 products left, about 5 min · Open Products Facts, 100 a minute: 12 products left, about 5 min.',
  );
});

const budget = { points: 1950.7, maximum: 2000, restoreRate: 100, productPoints: 14 };

test('the points that are left, and what they refill by', () => {
  expect(budgetWords(budget)).toBe('1,950 of 2,000 points left');
  expect(budgetWords({ ...budget, points: 0, maximum: 1_000_000 })).toBe('0 of 1,000,000 points left');
  expect(refillRateWords(budget)).toBe('About 7.1 products a second.');
  expect(refillRateWords({ ...budget, restoreRate: 14 })).toBe('About 1 product a second.');
  expect(refillRateWords({ ...budget, restoreRate: 1000 })).toBe('About 71 products a second.');
});

const countsOf = (...of: Parameters<typeof estimateCoverage>) =>
  coverageParts(estimateCoverage(...of)).map(({ count }) => count);

it('pictures that do not load do not count', () => {
  const image = { field: 'image', products: 53, filled: 52, found: 0 };
  const none = { loading: 0, broken: 52, unchecked: 0, none: 1 };
  expect(estimateCoverage(image, none)).toEqual({ ...image, filled: 0, broken: 52 });
  expect(countsOf(image, none)).toEqual([0, 0, 52]);
  expect(countsOf(image, undefined)).toEqual([52, 0, 0]);
  // Of a million products, a thousand were looked at.
  const many = { field: 'image', products: 1_000_000, filled: 600_000, found: 200_000 };
  const some = { loading: 400, broken: 100, unchecked: 0, none: 500 };
  expect(countsOf(many, some)).toEqual([440_000, 200_000, 160_000]);
  expect(countsOf({ ...many, field: 'vendor' }, some)).toEqual([600_000, 200_000, 0]);
  expect(countsOf({ ...image, products: 0, filled: 0 }, none)).toEqual([0, 0, 0]);
});

it('broken pictures are said once, with the host of most', () => {
  const none = { loading: 0, broken: 52, unchecked: 0, none: 1 };
  expect(brokenPicturesWords(none, 'example.com')).toBe(
    'None of 52 checked pictures loads, most of them from example.com.',
  );
  expect(brokenPicturesWords({ ...none, broken: 1 }, 'example.com')).toBe(
    'The only checked picture doesn’t load.',
  );
  expect(brokenPicturesWords({ ...none, loading: 3, broken: 1 }, null)).toBe(
    '1 of 4 checked pictures doesn’t load.',
  );
  expect(brokenPicturesWords({ ...none, broken: 0 }, null)).toBeNull();
});
