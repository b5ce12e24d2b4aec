import { z } from 'zod';
import {
  answerOfItem,
  Item,
  keyRefused,
  readReply,
  refusesKey,
  type SourceAdapter,
  textOf,
} from './source.ts';

/** https://www.barcodelookup.com/api-documentation */
const Body = z.object({ products: z.array(Item.extend({ manufacturer: z.string().nullish() })) });

/** Needs a key. */
export const barcodeLookup: SourceAdapter = {
  request: (code, key) => ({
    path: `/v3/products?barcode=${code}&key=${encodeURIComponent(key ?? '')}`,
    headers: {},
  }),
  read: (raw) =>
    refusesKey(raw.status)
      ? keyRefused
      : readReply(
          raw,
          Body,
          ({ products: [product] }) =>
            product && {
              ...answerOfItem(product),
              brand: textOf(product.brand) ?? textOf(product.manufacturer),
            },
        ),
  left: () => null,
  keyTest: {
    request: (key) => ({ path: `/v3/rate-limits?key=${encodeURIComponent(key)}`, headers: {} }),
    takesCall: false,
  },
};
