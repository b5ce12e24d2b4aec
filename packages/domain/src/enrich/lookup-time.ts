/** Quota of a source of product data and what is left of it. Times are milliseconds since 1970. */
export type QuotaLeft = {
  /** Calls that it takes within a window. */
  perWindow: number;
  windowMs: number;
  /** Calls left of the day. */
  dayLeft: number;
  /** It is not asked until then; null: it may be asked now. */
  blockedUntilMs: number | null;
};

/**
 * When a source is expected to have answered some look-ups, as its quota allows. Null if that is not known: the quota
 * of the day does not suffice. Other imports that ask the same source make it later.
 */
export function lookupsReadyMs(lookups: number, quota: QuotaLeft, nowMs: number): number | null {
  const { perWindow, windowMs, dayLeft, blockedUntilMs } = quota;
  if (lookups > dayLeft) return null;
  const fromMs = Math.max(nowMs, blockedUntilMs ?? nowMs);
  // The calls of a window are made at its beginning.
  return fromMs + (Math.ceil(lookups / perWindow) - 1) * windowMs;
}
