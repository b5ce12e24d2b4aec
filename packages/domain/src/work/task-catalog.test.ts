import { expect, test } from 'vitest';
import { backgroundKinds, backgroundLabel, backgroundTaskOf } from './task-catalog.ts';

/** A supplier that is half merged or deleted has to be finished: its lists wait for that. */
const untilDone: readonly string[] = ['merge-supplier', 'delete-supplier'];

test('a request is not tried without a limit', () => {
  for (const kind of backgroundKinds) {
    const { everyMs, attemptsMax } = backgroundTaskOf(kind);
    if (everyMs === undefined && !untilDone.includes(kind)) expect(attemptsMax, kind).toBeGreaterThan(0);
  }
});

test('a kind of another version is shown by its name', () => {
  expect(backgroundLabel('audit')).toBe('Comparing counters with the ledger');
  expect(backgroundLabel('of-a-newer-version')).toBe('of-a-newer-version');
});
