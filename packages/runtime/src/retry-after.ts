// `Sat, 21 Nov 2026 03:00:00 GMT`. Date.parse alone would also accept other formats.
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/;

/** Returns the wait in ms of a Retry-After header with seconds ('20', '2.0') or a date. Null for anything else. */
export function readRetryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const ms = httpDate.test(text) ? Date.parse(text) - now : Number.NaN;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
