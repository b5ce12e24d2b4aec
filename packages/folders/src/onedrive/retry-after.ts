const waitMsMin = 1_000;
const waitMsMax = 3_600_000;
/** `Sat, 21 Nov 2026 03:00:00 GMT`; the parser of dates also takes other things for dates. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/;

/**
 * The pause that an answer asks for, in milliseconds from 1 s to 1 h; null: it asks for none that can be understood.
 * A date is compared with the answer's own, because our clock may be wrong.
 */
export function retryAfterMs(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return limited(Number(value) * 1_000);
  const until = httpDate.test(value) ? Date.parse(value) : Number.NaN;
  const answeredAt = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(until) || Number.isNaN(answeredAt) ? null : limited(until - answeredAt);
}

const limited = (ms: number): number => Math.min(waitMsMax, Math.max(waitMsMin, ms));
