import { z } from 'zod';
import { route } from '../route.ts';
import { count } from '../values.ts';

/** Prices and pictures of some rows of an import, evenly spread over the file: all of them up to 1,000. */
export const ValuesSample = z.object({
  /** The rows that were read, and the import's rows. */
  rows: count,
  totalRows: count,
  /** Prices on a log scale: domain's PriceCounts. */
  prices: z.object({
    steps: z.array(z.tuple([z.number().int(), count])),
    zeros: count,
    low: z.number().nullable(),
    high: z.number().nullable(),
    currencies: z.array(z.string()),
    few: z.object({ count: z.number().int(), currencies: z.array(z.string()) }),
  }),
  /** Rows by the check of their first picture. `broken`: it does not load, or the store would not take it. */
  pictures: z.object({ loading: count, broken: count, unchecked: count, none: count }),
  /** The host of most broken pictures; null without any. */
  brokenHost: z.string().nullable(),
});
export type ValuesSample = z.infer<typeof ValuesSample>;

/** 409 until the file has been read for the first time. */
export const getValuesSample = route('getValuesSample', {
  reply: ValuesSample,
});
