import type { SourceName, SourceReply } from '@draftshelf/domain/enrich/sources';
import { retryAfterMs } from '@draftshelf/runtime/retry-after';

/** What the source's headers say is left of its quota. */
export type QuotaLeft = { calls: number; until: Date };

/** A source's reply as it arrives; the body is parsed JSON, or undefined. */
export type RawReply = { status: number; header: (name: string) => string | null; body: unknown };

/** How one source is asked and understood. */
export type SourceAdapter = {
  name: SourceName;
  /** Path, query and headers of the request for a code; `key` is null without one. */
  request(code: string, key: string | null): { path: string; headers: Record<string, string> };
  read(raw: RawReply): SourceReply;
  /** What the headers say is left; null: nothing. */
  left(raw: RawReply): QuotaLeft | null;
  /** How a key is tested; null: the source takes none. */
  keyTest: {
    request(key: string): { path: string; headers: Record<string, string> };
    /** Whether the test takes one of the key's calls. */
    takesCall: boolean;
  } | null;
};

/** The windows of a source's quota as its documentation names them. */
export type QuotaWindows = { perWindow: number; windowMs: number; perDay: number; dayMs: number };

/** Retry-After as a time. */
export function retryAfter({ header }: RawReply): Date | null {
  const now = Date.now();
  const ms = retryAfterMs(header('retry-after'), now);
  return ms === null ? null : new Date(now + ms);
}

/** A text without blanks around it; null if nothing is left. */
export function textOf(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

/** The most specific part of 'Home & Garden > Decor > Vases'. */
export const lastOfPath = (path: string | null | undefined): string | null => textOf(path?.split('>').at(-1));

/** Addresses of pictures that can be fetched, without duplicates. Sources repeat those of shops. */
export function pictureUrls(urls: readonly (string | null | undefined)[]): string[] {
  const valid = urls.filter(
    (url) => typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url),
  );
  return [...new Set(valid as string[])].slice(0, picturesMax);
}
const picturesMax = 8;

export const refusesKey = (status: number): boolean => status === 401 || status === 403;

export const keyRefused: SourceReply = { kind: 'failure', cause: 'It refuses the key.' };

export const unexpected = (status: number): SourceReply => ({
  kind: 'failure',
  cause: `It answered with status ${status}.`,
});

export const notUnderstood: SourceReply = {
  kind: 'failure',
  cause: 'Its answer has another form than documented.',
};
