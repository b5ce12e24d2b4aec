import type { SourceReply } from '@draftshelf/domain/enrich/sources';
import { z } from 'zod';
import {
  keyRefused,
  lastOfPath,
  notUnderstood,
  pictureUrls,
  type RawReply,
  refusesKey,
  retryAfter,
  type SourceAdapter,
  textOf,
  unexpected,
} from './source.ts';

/** https://www.barcodelookup.com/api-documentation */
const Body = z.object({
  products: z.array(
    z.object({
      title: z.string().nullish(),
      brand: z.string().nullish(),
      manufacturer: z.string().nullish(),
      description: z.string().nullish(),
      category: z.string().nullish(),
      images: z.array(z.string()).nullish(),
    }),
  ),
});

/** Needs a key. */
export const barcodeLookup: SourceAdapter = {
  name: 'barcode-lookup',
  request: (code, key) => ({
    path: `/v3/products?barcode=${code}&key=${encodeURIComponent(key ?? '')}`,
    headers: {},
  }),
  read,
  left: () => null,
  keyTest: {
    request: (key) => ({ path: `/v3/rate-limits?key=${encodeURIComponent(key)}`, headers: {} }),
    takesCall: false,
  },
};

function read(raw: RawReply): SourceReply {
  if (raw.status === 429) return { kind: 'quota', until: retryAfter(raw) };
  if (raw.status === 404) return { kind: 'miss' };
  if (refusesKey(raw.status)) return keyRefused;
  if (raw.status !== 200) return unexpected(raw.status);
  const parsed = Body.safeParse(raw.body);
  if (!parsed.success) return notUnderstood;
  const [product] = parsed.data.products;
  if (!product) return { kind: 'miss' };
  return {
    kind: 'hit',
    answer: {
      title: textOf(product.title),
      brand: textOf(product.brand) ?? textOf(product.manufacturer),
      description: textOf(product.description),
      category: lastOfPath(product.category),
      images: pictureUrls(product.images ?? []),
      attribution: null,
      picturesNeedCredit: false,
    },
  };
}
