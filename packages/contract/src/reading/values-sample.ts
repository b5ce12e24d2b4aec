import { z } from 'zod';
import { route } from '../route.ts';
import { count } from '../values.ts';

/** Prices and pictures of up to 1,000 rows of an import, spread evenly over the file. */
export const ValuesSample = z.object({
  /** Number of rows in the sample, and number of the import's rows. */
  rows: count,
  totalRows: count,
  /** Prices on a logarithmic scale. `PriceCounts` in the domain package explains the fields. */
  prices: z.object({
    steps: z.array(z.tuple([z.number().int(), count])),
    zeros: count,
    low: z.number().nullable(),
    high: z.number().nullable(),
    currencies: z.array(z.string()),
    few: z.object({ count: z.number().int(), currencies: z.array(z.string()) }),
  }),
  /** Numbers of rows by state of their first picture. `broken`: it does not load, or the store would refuse it. */
  pictures: z.object({ loading: count, broken: count, unchecked: count, none: count }),
  /** The host with the most broken pictures. Null if no picture is broken. */
  brokenHost: z.string().nullable(),
});
export type ValuesSample = z.infer<typeof ValuesSample>;

/** Replies 409 until the file has been read for the first time. */
export const getValuesSample = route('getValuesSample', {
  reply: ValuesSample,
});
