/** Returns the value of a header by its name in lower case. */
export type HeaderReader = (name: string) => string | null;

const waitMsMin = 1_000;
const waitMsMax = 3_600_000;
const units: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Headers that contain a wait, in order of precedence. */
const waitHeaders = [
  'retry-after-ms',
  'retry-after',
  'x-ratelimit-reset-requests',
  'x-ratelimit-reset-tokens',
  'x-ratelimit-reset',
];

/** Returns a reply's wait in ms. The headers have seconds ('1.5'), spans ('6m0s'), dates, or times since 1970. */
export function readWaitMs(header: HeaderReader, now: number): number | null {
  for (const name of waitHeaders) {
    const text = header(name)?.trim() ?? '';
    const ms = name === 'retry-after-ms' ? numberOf(text) : msOf(text, now);
    if (ms !== null) return Math.min(waitMsMax, Math.max(waitMsMin, Math.ceil(ms)));
  }
  return null;
}

/** Returns the milliseconds until a service with an empty quota accepts a request, or null without such headers. */
export function readQuotaWaitMs(header: HeaderReader, now: number): number | null {
  for (const kind of ['requests', 'tokens']) {
    if (header(`x-ratelimit-remaining-${kind}`)?.trim() !== '0') continue;
    const ms = msOf(header(`x-ratelimit-reset-${kind}`)?.trim() ?? '', now);
    if (ms !== null) return Math.min(waitMsMax, Math.max(waitMsMin, Math.ceil(ms)));
  }
  return null;
}

const numberOf = (text: string): number | null => (/^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null);

/** Numbers from this one on are times since 1970, because no wait has as many seconds. */
const momentMin = 1_000_000_000;

function msOf(text: string, now: number): number | null {
  const number = numberOf(text);
  if (number !== null) {
    if (number < momentMin) return number * 1000;
    return (number < momentMin * 1000 ? number * 1000 : number) - now;
  }
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)];
  if (parts.length > 0 && parts.map(([part]) => part).join('') === text) {
    return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0), 0);
  }
  const at = /[a-z]{3}|-\d\d/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at - now;
}
