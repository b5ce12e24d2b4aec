import type { SourceAnswer, SourceReply } from '@draftshelf/domain/enrich/sources';
import { retryAfterMs } from '@draftshelf/runtime/retry-after';
import { z } from 'zod';

/** Calls left by the source's headers. */
export type QuotaLeft = { calls: number; until: Date };

/** `body`: parsed JSON, or undefined. */
export type RawReply = { status: number; header: (name: string) => string | null; body: unknown };

export type SourceAdapter = {
  /** The request for a code; `key` is null without one. */
  request(code: string, key: string | null): { path: string; headers: Record<string, string> };
  read(raw: RawReply): SourceReply;
  /** Null: the headers name no quota. */
  left(raw: RawReply): QuotaLeft | null;
  /** Null: the source takes no key. */
  keyTest: {
    request(key: string): { path: string; headers: Record<string, string> };
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

/** Trims a text; null if nothing is left. */
export function textOf(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

/** Valid addresses of pictures, without duplicates: sources repeat shops' pictures. */
export function pictureUrls(urls: readonly (string | null | undefined)[]): string[] {
  const valid = urls.filter(
    (url) => typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url),
  );
  return [...new Set(valid as string[])].slice(0, picturesMax);
}
const picturesMax = 8;

/** Reads a reply by its status, then by its body. `answerOf`: undefined for a miss. */
export function readReply<Body>(
  raw: RawReply,
  schema: z.ZodType<Body>,
  answerOf: (body: Body) => SourceAnswer | undefined,
): SourceReply {
  if (raw.status === 429) return { kind: 'quota', until: retryAfter(raw) };
  if (raw.status === 404) return { kind: 'miss' };
  if (raw.status !== 200) return failure(`It answered with status ${raw.status}.`);
  const parsed = schema.safeParse(raw.body);
  if (!parsed.success) return failure('Its answer has another form than documented.');
  const answer = answerOf(parsed.data);
  return answer ? { kind: 'hit', answer } : { kind: 'miss' };
}

/** A product as two of the sources describe it. */
export const Item = z.object({
  title: z.string().nullish(),
  brand: z.string().nullish(),
  description: z.string().nullish(),
  category: z.string().nullish(),
  images: z.array(z.string()).nullish(),
});

export const answerOfItem = (item: z.infer<typeof Item>): SourceAnswer => ({
  title: textOf(item.title),
  brand: textOf(item.brand),
  description: textOf(item.description),
  // The most specific part of 'Home & Garden > Decor > Vases'.
  category: textOf(item.category?.split('>').at(-1)),
  images: pictureUrls(item.images ?? []),
  attribution: null,
  picturesNeedCredit: false,
});

export const refusesKey = (status: number): boolean => status === 401 || status === 403;

const failure = (cause: string): SourceReply => ({ kind: 'failure', cause });

export const keyRefused = failure('It refuses the key.');
