const minuteMs = 60_000;

/** Pauses before the first, second and third automatic retry. After a fourth failure, only the operator can retry. */
export const autoRetryPausesMs: readonly number[] = [5 * minuteMs, 15 * minuteMs, 45 * minuteMs];

/** Returns when a run that failed at `failedAt` is retried automatically. Null after the last automatic retry. */
export function nextRetryAt(failedAt: Date, autoRetries: number): Date | null {
  const pauseMs = autoRetryPausesMs[autoRetries];
  return pauseMs === undefined ? null : new Date(failedAt.getTime() + pauseMs);
}
