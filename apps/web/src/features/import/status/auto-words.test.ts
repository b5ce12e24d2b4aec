import { lookUpWaitMsMax } from '@draftshelf/domain/push/auto-push';
import { expect, test } from 'vitest';
import { formatClock } from '../../../lib/intl.ts';
import {
  noWorkerWords,
  plannedPushWords,
  pushResultWords,
  retryWords,
  undecidedWords,
} from './auto-words.ts';

const at = '2026-11-22T08:35:00.000Z';
const nowMs = Date.parse('2026-11-22T08:30:00.000Z');
const atMs = Date.parse(at);

test('a failed import says when it is retried, and when it is not any more', () => {
  const failed = { status: 'failed', nextRetryAt: at, autoRetries: 1 };
  expect(retryWords(failed, nowMs)).toBe(`Tries again at ${formatClock(at)} (2 of 3).`);
  expect(retryWords(failed, atMs)).toBe('Tries again in a moment (2 of 3).');
  expect(retryWords({ ...failed, nextRetryAt: null }, nowMs)).toBeNull();
  expect(retryWords({ ...failed, nextRetryAt: null, autoRetries: 3 }, nowMs)).toBe(
    'All 3 retries failed. Once the cause is fixed, retry the import.',
  );
  expect(retryWords({ ...failed, status: 'processing' }, nowMs)).toBeNull();
});

test('a planned push has a time', () => {
  expect(plannedPushWords({ autoPushAt: at }, nowMs)).toBe(`Pushes at ${formatClock(at)}`);
  expect(plannedPushWords({ autoPushAt: at }, atMs)).toBe('Pushes in a moment');
  expect(plannedPushWords({ autoPushAt: null }, nowMs)).toBeNull();
});

test('an import says that full-auto decides later, until it has decided or something was pushed', () => {
  const none = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
  const undecided = {
    status: 'processed',
    autoMode: 'full-auto' as const,
    autoPushAt: null,
    autoHeld: null,
    outcomes: none,
  };
  const words = `Once rules are applied and look-ups have ended, full auto decides. It waits at most ${lookUpWaitMsMax / 60_000} minutes for look-ups.`;
  expect(undecidedWords(undecided)).toBe(words);
  expect(undecidedWords({ ...undecided, status: 'queued' })).toBe(words);
  for (const change of [
    { status: 'processing' },
    { autoMode: 'manual' as const },
    { autoMode: null },
    { autoPushAt: at },
    { autoHeld: 'Not pushed: the file has no products.' },
    { outcomes: { ...none, skipped: 1 } },
  ]) {
    expect(undecidedWords({ ...undecided, ...change })).toBeNull();
  }
});

test('without a push worker an import says what happens when one runs', () => {
  expect(noWorkerWords({ autoPushAt: null }, nowMs)).toBe(
    'No push worker is running. Once one runs, full auto decides.',
  );
  expect(noWorkerWords({ autoPushAt: at }, nowMs)).toBe(
    `No push worker is running. Pushes at ${formatClock(at)} if one runs by then.`,
  );
  expect(noWorkerWords({ autoPushAt: at }, atMs)).toBe('No push worker is running. Pushes when one runs.');
});

test('an import that was pushed in part says how many products need the operator', () => {
  const outcomes = { created: 10, updated: 2, unchanged: 0, skipped: 4, failed: 1 };
  const record = { status: 'queued', totalProducts: 17, createdProducts: 12, outcomes, inStore: 2 };
  expect(pushResultWords(record)).toBe('12 pushed, 3 need you');
  // Two of 19 products have no outcome any more, because their update was undone.
  expect(pushResultWords({ ...record, totalProducts: 19 })).toBe('3 need you');
  expect(pushResultWords({ ...record, inStore: 4 })).toBe('12 pushed, 1 needs you');
  expect(pushResultWords({ ...record, inStore: 4, outcomes: { ...outcomes, failed: 0 } })).toBeNull();
  expect(pushResultWords({ ...record, status: 'completed' })).toBeNull();

  // Two products without a price and one to decide about remain; the others were left out since.
  const toDecide = { kind: 'to-decide', count: 1, of: 'product', sentence: '' } as const;
  const none = { ...record, totalProducts: 16, outcomes: { ...outcomes, failed: 0 } };
  expect(pushResultWords(record, { facts: [toDecide], open: 2 })).toBe(
    '12 pushed, 3 need you, 1 needs your decision',
  );
  expect(pushResultWords(none, { facts: [toDecide], open: 0 })).toBe('12 pushed, 1 needs your decision');
  expect(pushResultWords(none, { facts: [], open: 0 })).toBeNull();
});
