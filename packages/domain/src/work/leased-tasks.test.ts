import { expect, test } from 'vitest';
import { leasedKinds, leasedLabel, leasedTask } from './leased-tasks.ts';

/** A supplier that is half merged or deleted has to be finished: its lists wait for that. */
const untilDone: readonly string[] = ['merge-supplier', 'delete-supplier'];

test('a lease outlasts several renewals, and a request is not tried without a limit', () => {
  for (const kind of leasedKinds) {
    const { leaseMs, everyMs, attemptsMax } = leasedTask(kind);
    expect(leaseMs, kind).toBeGreaterThanOrEqual(15_000);
    if (everyMs === undefined && !untilDone.includes(kind)) expect(attemptsMax, kind).toBeGreaterThan(0);
  }
});

test('a kind of another version is shown by its name', () => {
  expect(leasedLabel('audit')).toBe('Comparing counters with the ledger');
  expect(leasedLabel('of-a-newer-version')).toBe('of-a-newer-version');
});
