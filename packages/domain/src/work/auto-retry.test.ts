import { expect, it } from 'vitest';
import { nextRetryAt } from './auto-retry.ts';

it('retries 5, 15 and 45 minutes after a failure, and no more', () => {
  const failedAt = new Date('2026-11-22T08:00:00Z');
  const times = [0, 1, 2, 3].map(
    (retries) => nextRetryAt(failedAt, retries)?.toISOString().slice(11, 16) ?? null,
  );
  expect(times).toEqual(['08:05', '08:15', '08:45', null]);
});
