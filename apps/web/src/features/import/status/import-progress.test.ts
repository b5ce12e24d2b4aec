import { expect, test } from 'vitest';
import { formatClock, formatMoment } from '../../../lib/intl.ts';
import { importWaitingWords, type PacedImport, paceWords, sentWords } from './import-progress.tsx';

const nowMs = new Date(2026, 2, 1, 12, 40).getTime();
const at = (seconds: number) => new Date(nowMs + seconds * 1000).toISOString();

type Pace = NonNullable<PacedImport['pace']>;
const running: Pace = {
  ...{ stage: 'push', state: 'running', done: 401, total: 900, perSecond: 17, readyAt: at(360) },
  ...{ sharedWith: 0, stalledSince: null },
};
const record = (pace: Partial<Pace> | null, set: Partial<PacedImport> = {}): PacedImport => ({
  ...{ waitingFor: null, waitingUntil: null, isUndoing: false },
  pace: pace === null ? null : { ...running, ...pace },
  ...set,
});
const words = (pace: Partial<Pace> | null, hasNoWorker = false) =>
  paceWords(record(pace), nowMs, { hasNoWorker });

test('a push says how many products are sent, also while it is paused', () => {
  expect(sentWords(record({}))).toBe('401 of 900 sent');
  expect(sentWords(record({ state: 'paused' }))).toBe('401 of 900 sent');
  expect(sentWords(record({}, { isUndoing: true }))).toBe('401 of 900 undone');
  expect(sentWords(record({ stage: 'parse' }))).toBe('');
  expect(sentWords(record(null))).toBe('');
});

test('rate and end; within two minutes in seconds', () => {
  expect(words({})).toBe(`17/s · ready ${formatClock(at(360))}`);
  expect(words({ readyAt: at(34) })).toBe('17/s · ready in 35 s');
  expect(words({ readyAt: at(120) })).toBe('17/s · ready in 120 s');
  expect(words({ readyAt: at(-3) })).toBe('17/s · ready in a moment');
  expect(words({ readyAt: at(86_400) })).toBe(`17/s · ready ${formatMoment(at(86_400), nowMs)}`);
});

test('slow rates are by the minute, large ones have their digits grouped', () => {
  expect(words({ perSecond: 0.31, readyAt: null })).toBe('19/min');
  expect(words({ perSecond: 12_000, readyAt: null })).toMatch(/^12.000\/s$/);
  expect(words({ perSecond: null, readyAt: null })).toBe('');
});

test('others that share the rate are counted', () => {
  expect(words({ sharedWith: 1, readyAt: null })).toBe('17/s · shared with 1 other');
  expect(words({ sharedWith: 2, readyAt: at(34) })).toBe('17/s · ready in 35 s · shared with 2 others');
  expect(words({ state: 'behind', perSecond: null, readyAt: at(30) })).toBe(
    'Waiting: other imports go first · ready in 30 s',
  );
});

test('without a rate they say why', () => {
  const none = { perSecond: null, readyAt: null };
  expect(words({ ...none, state: 'starting' })).toBe('Starting');
  expect(words({ ...none, state: 'starting', readyAt: at(90) })).toBe('Starting · ready in 90 s');
  expect(words({ ...none, state: 'ending' })).toBe('Finishing');
  expect(words({ ...none, state: 'paused' })).toBe('');
  expect(words(null)).toBe('');
  const stalled = { ...none, state: 'stalled', stalledSince: at(-60) } as const;
  expect(words(stalled)).toBe(`Nothing sent since ${formatClock(at(-60))}`);
  expect(words(stalled, true)).toBe('No push worker is running');
  expect(words({ ...stalled, stage: 'enrich' })).toBe(`Nothing read since ${formatClock(at(-60))}`);
});

test('a wait has its cause, its end and the end of the push', () => {
  const waiting = { waitingFor: 'The store is busy.', waitingUntil: at(30) };
  const state = { state: 'waiting', perSecond: null, readyAt: null } as const;
  expect(importWaitingWords(record({}), nowMs)).toBeNull();
  expect(importWaitingWords(record(state, { ...waiting, waitingUntil: null }), nowMs)).toBe(
    'The store is busy.',
  );
  const resumes = `The store is busy. Resumes at ${formatClock(at(30))}`;
  expect(importWaitingWords(record(state, waiting), nowMs)).toBe(`${resumes}.`);
  expect(importWaitingWords(record({ ...state, readyAt: at(60) }, waiting), nowMs)).toBe(
    `${resumes}, ready in 60 s.`,
  );
});
