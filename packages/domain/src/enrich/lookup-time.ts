/** The remaining quota of a source. Points in time are milliseconds since 1970. */
export type QuotaLeft = {
  /** The number of calls in a window. */
  perWindow: number;
  windowMs: number;
  dayLeft: number;
  /** Null if the source may be asked now. */
  blockedUntilMs: number | null;
};

/** Returns null if the day's quota is too small. Other imports that use the same source delay the result. */
export function lookupsReadyMs(lookups: number, quota: QuotaLeft, nowMs: number): number | null {
  const { perWindow, windowMs, dayLeft, blockedUntilMs } = quota;
  if (lookups > dayLeft) return null;
  const fromMs = Math.max(nowMs, blockedUntilMs ?? nowMs);
  // All calls of a window are made at its beginning.
  return fromMs + (Math.ceil(lookups / perWindow) - 1) * windowMs;
}
