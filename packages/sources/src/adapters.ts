import type { SourceAnswer, SourceName, SourceReply } from '@draftshelf/domain/enrich/sources';
import { readRetryAfterMs } from '@draftshelf/runtime/retry-after';
import { z } from 'zod';

/** The number of calls left until a time, as the headers of a source give them. */
export type RemainingQuota = { calls: number; until: Date };

/** `body` is the parsed JSON, or undefined if the reply is not JSON. */
export type RawReply = { status: number; header: (name: string) => string | null; body: unknown };

export type SourceRequest = { path: string; headers?: Record<string, string> };

type SourceAdapter = {
  /** Builds the request for a code. `key` is null if there is no key. */
  request(code: string, key: string | null): SourceRequest;
  read(raw: RawReply): SourceReply;
  /** Reads the quota from the headers. Null if this reply has no quota, absent if the source never sends one. */
  left?(raw: RawReply): RemainingQuota | null;
  /** The test of a key. Absent if the source takes no key. */
  keyTest?: { request(key: string): SourceRequest; takesCall: boolean };
};

/** The windows of a source's quota, as given in its documentation. */
export type QuotaWindows = { perWindow: number; windowMs: number; perDay: number; dayMs: number };

/** Converts Retry-After to a time, or returns null without a valid header. */
function retryAfter({ header }: RawReply): Date | null {
  const now = Date.now();
  const ms = readRetryAfterMs(header('retry-after'), now);
  return ms === null ? null : new Date(now + ms);
}

/** Returns the trimmed text, or null if nothing is left. */
function textOf(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

/** Returns valid picture addresses without duplicates, because sources repeat the pictures of shops. */
function pictureUrls(urls: readonly (string | null | undefined)[]): string[] {
  const valid = urls.filter(
    (url) => typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url),
  );
  return [...new Set(valid as string[])].slice(0, picturesMax);
}
const picturesMax = 8;

/** Reads a reply by its status, then by its body. `answerOf` returns undefined for a miss. */
function readReply<Body>(
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

/** A product in the format of two of the sources. */
const Item = z.object({
  title: z.string().nullish(),
  brand: z.string().nullish(),
  description: z.string().nullish(),
  category: z.string().nullish(),
  images: z.array(z.string()).nullish(),
});

const answerOfItem = (item: z.infer<typeof Item>): SourceAnswer => ({
  title: textOf(item.title),
  brand: textOf(item.brand),
  description: textOf(item.description),
  // The most specific category: 'Vases' in 'Home & Garden > Decor > Vases'.
  category: textOf(item.category?.split('>').at(-1)),
  images: pictureUrls(item.images ?? []),
  attribution: null,
  picturesNeedCredit: false,
});

const refusesKey = (status: number): boolean => status === 401 || status === 403;

const failure = (cause: string): SourceReply => ({ kind: 'failure', cause });

export const keyRefusedReply = failure('It refuses the key.');

/** https://www.upcitemdb.com/wp/docs/main/development/responses/ */
const UpcitemdbBody = z.object({ code: z.string(), items: z.array(Item).default([]) });

/** Uses the free plan without a key, and the paid plan with a key. */
const upcitemdb: SourceAdapter = {
  request: (code, key) => ({
    path: `/prod/${key === null ? 'trial' : 'v1'}/lookup?upc=${code}`,
    headers: paidHeaders(key),
  }),
  read: readUpcitemdb,
  left: leftAtUpcitemdb,
  // Only look-ups take a key, so the test of a key is a look-up. The code is from the documentation.
  keyTest: {
    request: (key) => ({ path: '/prod/v1/lookup?upc=4002293401102', headers: paidHeaders(key) }),
    takesCall: true,
  },
};

const paidHeaders = (key: string | null): Record<string, string> =>
  key === null ? {} : { user_key: key, key_type: '3scale' };

function readUpcitemdb(raw: RawReply): SourceReply {
  const code = UpcitemdbBody.safeParse(raw.body).data?.code;
  if (raw.status === 429 || code === 'EXCEED_LIMIT' || code === 'TOO_FAST') {
    return { kind: 'quota', until: retryAfter(raw) ?? leftAtUpcitemdb(raw)?.until ?? null };
  }
  // The source reports impossible codes as invalid. They count as misses, so that no import asks about them again.
  if (code === 'NOT_FOUND' || code === 'INVALID_QUERY') return { kind: 'miss' };
  if (refusesKey(raw.status)) return keyRefusedReply;
  const Found = UpcitemdbBody.extend({ code: z.literal('OK') });
  return readReply(raw, Found, ({ items: [item] }) => item && answerOfItem(item));
}

function leftAtUpcitemdb({ header }: RawReply): RemainingQuota | null {
  const [remaining, reset] = [header('x-ratelimit-remaining'), header('x-ratelimit-reset')];
  if (remaining === null || reset === null || !/^\d{1,9}$/.test(remaining) || !/^\d{9,11}$/.test(reset))
    return null;
  return { calls: Number(remaining), until: new Date(Number(reset) * 1000) };
}

/** https://openfoodfacts.github.io/openfoodfacts-server/api/ */
const FactsBody = z.object({
  status: z.union([z.literal(0), z.literal(1)]),
  product: z
    .object({
      product_name: z.string().nullish(),
      brands: z.string().nullish(),
      image_url: z.string().nullish(),
      categories_tags: z.array(z.string()).nullish(),
    })
    .optional(),
});

const factsFields = 'product_name,brands,image_url,categories_tags';

/** The data are under the ODbL, and the pictures under CC BY-SA, which requires a credit. */
const openProductsFacts: SourceAdapter = {
  request: (code) => ({ path: `/api/v2/product/${code}.json?fields=${factsFields}` }),
  read: readFacts,
};

function readFacts(raw: RawReply): SourceReply {
  // The source answers 503 if its rate limit is exceeded.
  return readReply(raw.status === 503 ? { ...raw, status: 429 } : raw, FactsBody, ({ status, product }) => {
    if (status === 0 || !product) return undefined;
    return {
      title: textOf(product.product_name),
      brand: textOf(product.brands?.split(',')[0]),
      description: null,
      category: categoryOf(product.categories_tags ?? []),
      images: pictureUrls([product.image_url]),
      attribution: 'Open Products Facts contributors, CC BY-SA 3.0',
      picturesNeedCredit: true,
    };
  });
}

/** Returns the most specific English category: 'en:table-lamps' becomes 'Table lamps'. */
function categoryOf(tags: readonly string[]): string | null {
  const name = tags
    .filter((tag) => tag.startsWith('en:'))
    .at(-1)
    ?.slice('en:'.length)
    .replaceAll('-', ' ');
  return name ? name.charAt(0).toUpperCase() + name.slice(1) : null;
}

/** https://www.barcodelookup.com/api-documentation */
const BarcodeBody = z.object({ products: z.array(Item.extend({ manufacturer: z.string().nullish() })) });

/** Every request needs a key. */
const barcodeLookup: SourceAdapter = {
  request: (code, key) => ({ path: `/v3/products?barcode=${code}&key=${encodeURIComponent(key ?? '')}` }),
  read: (raw) =>
    refusesKey(raw.status)
      ? keyRefusedReply
      : readReply(
          raw,
          BarcodeBody,
          ({ products: [product] }) =>
            product && {
              ...answerOfItem(product),
              brand: textOf(product.brand) ?? textOf(product.manufacturer),
            },
        ),
  keyTest: {
    request: (key) => ({ path: `/v3/rate-limits?key=${encodeURIComponent(key)}` }),
    takesCall: false,
  },
};

export const sourceAdapters: Record<SourceName, SourceAdapter> = {
  upcitemdb,
  'open-products-facts': openProductsFacts,
  'barcode-lookup': barcodeLookup,
};
