/** Times are milliseconds since 1970. */
export type QuotaLeft = {
  /** Calls within a window. */
  perWindow: number;
  windowMs: number;
  dayLeft: number;
  /** Null: it may be asked now. */
  blockedUntilMs: number | null;
};

/** Null: the day's quota does not suffice. Other imports that ask the same source delay it. */
export function lookupsReadyMs(lookups: number, quota: QuotaLeft, nowMs: number): number | null {
  const { perWindow, windowMs, dayLeft, blockedUntilMs } = quota;
  if (lookups > dayLeft) return null;
  const fromMs = Math.max(nowMs, blockedUntilMs ?? nowMs);
  // The calls of a window are made at its beginning.
  return fromMs + (Math.ceil(lookups / perWindow) - 1) * windowMs;
}
