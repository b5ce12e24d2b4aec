/** The remaining quota of a source. Points in time are milliseconds since 1970. */
export type RemainingQuota = {
  /** The number of calls in a window. */
  perWindow: number;
  windowMs: number;
  dayLeft: number;
  /** Null if the source may be asked now. */
  blockedUntilMs: number | null;
};

/** Returns when all look-ups will be done if no other import delays them. Null if the day's quota is too small. */
export function estimateLookupsEndMs(lookups: number, quota: RemainingQuota, nowMs: number): number | null {
  const { perWindow, windowMs, dayLeft, blockedUntilMs } = quota;
  if (lookups > dayLeft) return null;
  const fromMs = Math.max(nowMs, blockedUntilMs ?? nowMs);
  // The formula assumes that all calls of a window are made at the beginning of the window.
  return fromMs + (Math.ceil(lookups / perWindow) - 1) * windowMs;
}
