import type { Job } from '@draftshelf/contract/imports/imports';
import { expect, it } from 'vitest';
import { isSameExceptProgress } from './queue-list.ts';

const pace = {
  ...{ stage: 'parse', state: 'running', done: 100, total: 900, perSecond: 20 },
  ...{ readyAt: '2026-01-01T00:00:40.000Z', sharedWith: 1, stalledSince: null },
} satisfies Job['pace'];
const running = {
  ...{ id: 'a', status: 'processing', progress: 10, progressPercentage: 10, errorMessage: null },
  ...{ processedProducts: 90, totalProducts: 900, validProducts: 80, warningProducts: 10, errorProducts: 0 },
  outcomes: { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 },
  waitingFor: null,
  pace,
} as const;
const further = {
  ...running,
  ...{ progress: 30, progressPercentage: 30, processedProducts: 290, validProducts: 280 },
  pace: { ...pace, done: 300, perSecond: 25, readyAt: '2026-01-01T00:00:35.000Z', sharedWith: 2 },
};
const other = { ...running, id: 'b' };

it('is true of running imports that are further', () => {
  expect(isSameExceptProgress([running, other], [further, other])).toBe(true);
  const created = { ...further, outcomes: { ...further.outcomes, created: 5 } };
  expect(isSameExceptProgress([running], [created])).toBe(true);
});

it.each<[string, object]>([
  ['has ended', { status: 'processed' }],
  ['waits', { waitingFor: 'The store is busy.' }],
  ['has more warnings', { warningProducts: 11 }],
  ['has an error', { errorProducts: 1 }],
  ['had a product fail', { outcomes: { ...running.outcomes, failed: 1 } }],
  ['had a product skipped', { outcomes: { ...running.outcomes, skipped: 1 } }],
  ['stalls', { pace: { ...pace, state: 'stalled', stalledSince: '2026-01-01T00:00:20.000Z' } }],
  ['goes on with another stage', { pace: { ...pace, stage: 'enrich' } }],
  ['asks something', { isAsking: true }],
])('is false of one that %s', (_what, change) => {
  expect(isSameExceptProgress([running, other], [{ ...further, ...change }, other])).toBe(false);
});

it('is false of imports that came, went, or do not run and have other counts', () => {
  expect(isSameExceptProgress([running], [further, other])).toBe(false);
  expect(isSameExceptProgress([running, other], [running])).toBe(false);
  expect(isSameExceptProgress([running], [other])).toBe(false);
  const edited = { ...running, status: 'processed' as const };
  expect(isSameExceptProgress([edited], [{ ...edited, validProducts: 81 }])).toBe(false);
});
